/** The service as one long-lived process: `npm start`, and `npm run dev` with `--dev`. */
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import next from 'next';
import { runDeferred } from './api/deferred';
import { unknownProxyWarning } from './api/forwarded';
import { startLoop } from './background/loop';
import { disconnect } from './database/client';
import { openDatabase } from './database/open';
import { defaultDataFolder, type Env, env, loadEnvFile } from './env';
import { waitingRoom } from './events/waiting';
import { createFront, type Front } from './http/front';
import { bodyMemoryLimits, connectionLimits } from './http/limits';
import { jobs } from './jobs';
import { log } from './log';
import { prepareCounting } from './rate-limit/counter';
import { handleNodeRequest } from './rest/node';
import { ensureSecretKey } from './secrets/secret-key';
import { announceTranscription } from './transcription/transcribe';

/** How long requests under way may take to finish once the process is told to stop. */
const stopTimeoutMs = 20_000;

/** Of these, how long deliveries and other jobs may take before they go back to their queues. */
const jobsGraceMs = 8_000;

const projectFolder = resolve(__dirname, '..');

/** Pages are built when they are first asked for, and again when their files change. */
const isDevelopment = process.argv.includes('--dev');

/** What the process finishes before it stops: requests, and what follows their answers. */
const underWay = new Set<Promise<void>>();

async function main(): Promise<void> {
  loadEnvFile();
  const settings = env();
  if (!isDevelopment && !existsSync(join(projectFolder, '.next', 'BUILD_ID'))) {
    throw new Error('The service is not built yet. Run "npm run build" first.');
  }
  const isEmbedded = !settings.DATABASE_URL;
  say(isEmbedded ? `Opening the embedded database in ${settings.DATA_FOLDER} …` : 'Migrating …');
  ensureSecretKey();
  const closeDatabase = await openDatabase({ shared: false, say });
  await prepareCounting();
  const front = await listen(settings);
  const loop = startLoop(jobs, { isAlone: isEmbedded });
  announceTranscription();
  const warning = unknownProxyWarning(settings);
  if (warning) log().warn(warning);
  sayWhatNext(front.server, settings);
  stopOnSignal(front, async (requestsDone) => {
    // From the first moment, since both may take long. What is written meanwhile stays queued.
    await Promise.all([loop.stop({ graceMs: jobsGraceMs }), requestsDone]);
    while (underWay.size > 0) await Promise.allSettled(underWay);
    await disconnect();
    await closeDatabase();
  });
}

/** `/api/v1` is answered here, everything else by Next. */
async function listen({ PORT, HOST, MAX_CONNECTIONS }: Env): Promise<Front> {
  // Next would take every request to upgrade for its own and leave it unanswered, so it is given a
  // server that has none. Without a listener, Node goes on with the request as if it asked for
  // nothing: some clients offer HTTP/2 that way.
  const upgrades = createServer();
  const app = next({ dev: isDevelopment, dir: projectFolder, httpServer: upgrades });
  await app.prepare();
  const handleByNext = app.getRequestHandler();
  const front = createFront({
    handleRest: (request, response) => track(handleNodeRequest(request, response, defer)),
    handleOther: (request, response) => track(handleByNext(request, response)),
    limits: connectionLimits(MAX_CONNECTIONS),
    bodyMemory: bodyMemoryLimits,
  });
  const { server } = front;
  // The socket over which a page in development hears of changes.
  if (isDevelopment) server.on('upgrade', (...args) => upgrades.emit('upgrade', ...args));
  await new Promise<void>((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE';
      fail(isTaken ? new Error(`Port ${PORT} is in use. Set PORT to another one.`) : error);
    });
    server.listen(PORT, HOST, done);
  });
  return front;
}

/** A request whose client has left goes on, and may still have a transcript to save. */
function track(handling: Promise<void>): Promise<void> {
  const running = handling.catch(() => {}).finally(() => underWay.delete(running));
  underWay.add(running);
  return handling;
}

function defer(task: () => Promise<void>): void {
  const running = runDeferred(task).finally(() => underWay.delete(running));
  underWay.add(running);
}

function stopOnSignal(front: Front, close: (requestsDone: Promise<void>) => Promise<void>): void {
  let isStopping = false;
  const stop = async () => {
    if (isStopping) return;
    isStopping = true;
    say('Stopping …');
    setTimeout(() => process.exit(1), stopTimeoutMs).unref();
    waitingRoom().close();
    await close(front.stop());
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

function sayWhatNext(server: Server, settings: Env): void {
  const { port } = serverAddress(server);
  const url = env().PUBLIC_URL ?? `http://localhost:${port}`;
  say(`
Ready at ${url}

  Dashboard      ${url}
  API reference  ${url}/docs
  API            ${url}/api/v1

Sign up in the dashboard and make a key there, or make an account and a key, in another terminal${sameSettings(settings)}:

  npm run --silent account -- create --email you@example.com --password 'at least 8 characters'
  KEY=$(npm run --silent api-key -- create --email you@example.com --scopes read,write,delete)

and a first request:

  curl -H "Authorization: Bearer $KEY" ${url}/api/v1/testimonials
`);
}

/** The commands find the database by the same variables as this process. */
function sameSettings({ DATABASE_URL, DATA_FOLDER }: Env): string {
  if (DATABASE_URL) return ' with the same DATABASE_URL';
  return DATA_FOLDER === defaultDataFolder ? '' : ` with DATA_FOLDER=${DATA_FOLDER}`;
}

function serverAddress(server: Server): AddressInfo {
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('The server does not listen on TCP');
  return address;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});

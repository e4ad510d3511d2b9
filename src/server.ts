/**
 * The long-lived service: `npm start`, and `npm run dev` with `--dev`. One process, or with WORKERS
 * several: then this file is the beginning of each of them.
 */
import './service/source-maps';
import './service/hangup';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import {
  trustedStrangersWarning,
  unknownAddressWarning,
  unknownProxyWarning,
} from './api/forwarded';
import { findEmbedded } from './database/embedded/open';
import { openDatabase } from './database/open';
import { unreadSchemaWarning } from './database/unread-schema';
import { type Env, env, loadEnvFile } from './env';
import { messageOf } from './error-parts';
import { fewFilesWarning } from './http/limits';
import { log } from './logging/log';
import { noMailWarning } from './mail/settings';
import { ensureSecretKey } from './secrets/secret-key';
import { requireFreePort } from './service/free-port';
import { endAtHangup, passHangupOver } from './service/hangup';
import { say, sayWhatNext, surviveUnheard } from './service/say';
import { endAtStopSignal, onStopSignal } from './service/signals';
import { startTracing } from './tracing/start';
import { lostSecretsWarning } from './webhooks/lost-secrets';

const isDevelopment = process.argv.includes('--dev');

async function main(): Promise<void> {
  surviveUnheard();
  endAtStopSignal();
  loadEnvFile();
  const settings = env();
  if (!isDevelopment && !existsSync(join(resolve(__dirname, '..'), '.next', 'BUILD_ID'))) {
    throw new Error('The service is not built yet. Run "npm run build" first.');
  }
  const count = isDevelopment ? 1 : workerCount(settings);
  if (settings.WORKER_NUMBER !== undefined) {
    const { runWorker } = await import('./service/workers/worker');
    return runWorker(settings, servedFolder(settings));
  }
  // Workers that are still to start have what a reload is to bring.
  if (count === 1) {
    if (isDevelopment || hasTerminal()) endAtHangup();
    else passHangupOver(() => log().warn('SIGHUP is passed over: there are no workers to replace'));
  }
  await requireFreePort(settings);
  const embeddedFolder = settings.DATABASE_URL ? undefined : settings.DATA_FOLDER;
  say(embeddedFolder ? `Opening the embedded database in ${embeddedFolder} …` : 'Migrating …');
  ensureSecretKey();
  const port = count > 1 ? await startSeveral(count) : await startOne(settings, embeddedFolder);
  for (const warning of [
    unknownProxyWarning(settings),
    unknownAddressWarning(settings),
    trustedStrangersWarning(settings),
    noMailWarning(settings),
    unreadSchemaWarning(settings),
    fewFilesWarning(),
  ]) {
    if (warning) log().warn(warning);
  }
  sayWhatNext(port, settings);
  await warnOfLostSecrets();
}

async function startOne(settings: Env, embeddedFolder: string | undefined): Promise<number> {
  const { serve } = await import('./service/serve');
  // Before there are connections, which are traced from their beginning or not at all.
  const stopTracing = await startTracing(settings);
  const closeDatabase = await openDatabase({ shared: false, say });
  const { port, stop } = await serve({
    isDevelopment,
    isAlone: embeddedFolder !== undefined,
    embeddedFolder,
    countsOfOthers: async () => [],
  });
  onStopSignal(async () => {
    say('Stopping …');
    await stop();
    await closeDatabase();
    await stopTracing();
    return true;
  });
  return port;
}

/**
 * The primary process loads nothing that answers. The workers reach the database as any other client
 * does, also the one that this process embeds.
 */
async function startSeveral(count: number): Promise<number> {
  const { startWorkers } = await import('./service/workers/primary');
  const closeDatabase = await openDatabase({ shared: false, isAsked: false, say });
  const { port, stop } = await startWorkers(count);
  onStopSignal(async () => {
    say('Stopping …');
    const isInOrder = await stop();
    await closeDatabase();
    return isInOrder;
  });
  return port;
}

/** Once requests are answered, and whatever comes of it: nothing else depends on it. */
async function warnOfLostSecrets(): Promise<void> {
  try {
    const warning = await lostSecretsWarning(env().DATABASE_URL ?? '');
    if (warning) log().error(warning);
  } catch (error) {
    log().warn({ err: error }, 'whether signing secrets can be read was not looked at');
  }
}

function workerCount({ WORKERS }: Env): number {
  return WORKERS === 'auto' ? availableParallelism() : WORKERS;
}

/** Whether SIGHUP tells that it was closed. The first process of a container has one that nobody sits at. */
function hasTerminal(): boolean {
  return process.pid !== 1 && (process.stdin.isTTY || process.stdout.isTTY);
}

/** The folder of the embedded database that the primary process serves, if it does. */
function servedFolder({ DATABASE_URL, DATA_FOLDER }: Env): string | undefined {
  return findEmbedded(DATA_FOLDER) === DATABASE_URL ? DATA_FOLDER : undefined;
}

main().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(1);
});

import { createServer } from 'node:http';
import { resolve } from 'node:path';
import next from 'next';
import { runDeferred } from '../api/deferred';
import { startLoop } from '../background/loop';
import { disconnect } from '../database/client';
import { type Env, env } from '../env';
import { waitingRoom } from '../events/waiting';
import { createFront, type Front, type FrontOptions } from '../http/front';
import { bodyMemoryLimits, connectionLimits } from '../http/limits';
import type { Listeners } from '../http/stop-listening';
import { jobs } from '../jobs';
import { setMeter } from '../metrics/meter';
import type { ProcessCounts } from '../metrics/metrics';
import { prepareCounting } from '../rate-limit/counter';
import { requestLog } from '../requests/request-log';
import { handleNodeRequest } from '../rest/node';
import { setStopping } from '../stopping';
import { announceTranscription } from '../transcription/transcribe';
import { besideNext } from './beside-next';
import { listenError } from './listen-error';
import { serviceMetrics } from './metrics';
import { withReadableState } from './router-state';
import { withLoggedFailures } from './silent-failures';

/** How long deliveries and other jobs may take, of a stopping process's time, before they go back. */
const jobsGraceMs = 8_000;

const projectFolder = resolve(__dirname, '../..');

type ServeOptions = {
  /** Pages are built when they are first asked for, and again when their files change. */
  isDevelopment: boolean;
  /** No other process does the jobs: what is found begun was begun by one that has died. */
  isAlone: boolean;
  /** Where the database is embedded: its folder. */
  embeddedFolder: string | undefined;
  /** The counts of the processes that share the listener with this one, which tells them its own. */
  countsOfOthers: (own: ProcessCounts) => Promise<ProcessCounts[]>;
};

export type Serving = {
  /** Where it listens. */
  port: number;
  /** The counts of this process, for others that are asked. */
  ownCounts: () => Promise<ProcessCounts>;
  /**
   * Takes nothing new, and resolves once what was taken is done, what others can do is given back,
   * and the connections to the database are closed. Once.
   */
  stop: (others?: Listeners) => Promise<void>;
};

/** Answers requests and does the jobs. The database is open and migrated, the environment complete. */
export async function serve(options: ServeOptions): Promise<Serving> {
  const settings = env();
  const metrics = serviceMetrics(options);
  setMeter(metrics.meter);
  await prepareCounting();
  requestLog().start();
  /** What the process finishes before it stops: requests, and what follows their answers. */
  const underWay = new Set<Promise<void>>();
  const { front, port } = await listen(settings, options.isDevelopment, underWay, {
    handleMetrics: async (_request, response) => {
      const text = await metrics.render(options.countsOfOthers);
      response.writeHead(200, {
        'Content-Type': metrics.contentType,
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
      });
      response.end(text);
    },
    besideNext,
  });
  const loop = startLoop(jobs, { isAlone: options.isAlone });
  announceTranscription();
  return {
    port,
    ownCounts: metrics.ofProcess,
    stop: async (others) => {
      setStopping();
      waitingRoom().close();
      // From the first moment, since both may take long. What is written meanwhile stays queued.
      await Promise.all([loop.stop({ graceMs: jobsGraceMs }), front.stop(others)]);
      while (underWay.size > 0) await Promise.allSettled(underWay);
      await requestLog().stop();
      await disconnect();
    },
  };
}

/** `/api/v1` is answered here, everything else by Next. */
async function listen(
  { PORT, HOST, MAX_CONNECTIONS }: Env,
  isDevelopment: boolean,
  underWay: Set<Promise<void>>,
  more: Pick<FrontOptions, 'handleMetrics' | 'besideNext'>,
): Promise<{ front: Front; port: number }> {
  /** A request whose client has left goes on, and may still have a transcript to save. */
  const track = (handling: Promise<void>): Promise<void> => {
    const done = () => void underWay.delete(running);
    const running = handling.then(done, done);
    underWay.add(running);
    return handling;
  };
  const defer = (task: () => Promise<void>): void => {
    const running = runDeferred(task).finally(() => underWay.delete(running));
    underWay.add(running);
  };
  // Next would take every request to upgrade for its own and leave it unanswered, so it is given a
  // server that has none. Without a listener, Node goes on with the request as if it asked for
  // nothing: some clients offer HTTP/2 that way.
  const upgrades = createServer();
  const app = next({
    dev: isDevelopment,
    dir: projectFolder,
    httpServer: upgrades,
    quiet: !isDevelopment,
  });
  await app.prepare();
  const handler = app.getRequestHandler();
  const handleByNext = withReadableState(isDevelopment ? handler : withLoggedFailures(handler));
  const front = createFront({
    handleRest: (request, response, body) =>
      track(handleNodeRequest(request, response, defer, body)),
    handleOther: (request, response) => track(handleByNext(request, response)),
    limits: connectionLimits(MAX_CONNECTIONS),
    bodyMemory: bodyMemoryLimits,
    ...more,
  });
  const { server } = front;
  // The socket over which a page in development hears of changes.
  if (isDevelopment) server.on('upgrade', (...args) => upgrades.emit('upgrade', ...args));
  await new Promise<void>((done, fail) => {
    server.once('error', (error) => fail(listenError(error, { HOST, PORT })));
    server.listen(PORT, HOST, done);
  });
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('The server does not listen on TCP');
  return { front, port: address.port };
}

/** The process that starts the others, and answers no request itself. */
import cluster, { type Worker } from 'node:cluster';
import { RateLimiterClusterMaster } from 'rate-limiter-flexible';
import { env } from '../../env';
import { connectionLimits } from '../../http/limits';
import { log } from '../../logging/log';
import { say } from '../say';
import { stopTimeoutMs } from '../signals';
import { createBackoff } from './backoff';
import { createFarewell } from './farewell';
import { keepHandedOver } from './handed-over';
import { fromWorkerSchema, readMessage } from './messages';
import { oneAtATime } from './one-at-a-time';
import { watchPulse } from './pulse';
import { createRelay } from './relay';
import { boundWaiting, type WaitingLimits } from './waiting-connections';

/** How long a worker may take until it answers requests; a crowded machine needs long. */
const startTimeoutMs = 180_000;

/** Beyond its own bound: then it hears nothing any more. */
const killAfterMs = stopTimeoutMs + 2_000;

/** How often a worker is asked for a sign of life. */
const usualPulseMs = 10_000;

/** One of the workers that there are to be, whichever process is that now. */
type Place = {
  number: number;
  worker: Worker | undefined;
  /** SIGHUP has the next one start, which takes the place whether this one lives until then or not. */
  hasNext: boolean;
  nextStartMs: (servedMs: number) => number;
};

type Primary = {
  /** Where the workers listen. */
  port: number;
  /** Ends every worker and resolves with whether all have ended in order. Once. */
  stop(): Promise<boolean>;
};

/**
 * Starts workers and keeps them so many: one that dies or hangs is replaced, and SIGHUP replaces all,
 * one after the other, each by one that answers already. Resolves once the first answers requests.
 * No more connections wait until a worker takes them than `waiting` says.
 * @throws Error where the first does not start: nothing of what would be wrong then passes by itself
 */
export async function startWorkers(
  count: number,
  {
    pulseMs = usualPulseMs,
    waiting = connectionLimits(env().MAX_CONNECTIONS),
  }: { pulseMs?: number; waiting?: WaitingLimits } = {},
): Promise<Primary> {
  boundWaiting(waiting);
  // Counts for all; a worker that is replaced changes nothing.
  new RateLimiterClusterMaster();
  const places = Array.from({ length: count }, (_, index): Place => {
    const { nextMs } = createBackoff();
    return { number: index + 1, worker: undefined, hasNext: false, nextStartMs: nextMs };
  });
  const live = () => places.flatMap(({ worker }) => (worker?.isConnected() ? [worker] : []));
  const relay = createRelay(live);
  const farewell = createFarewell(all);
  let isStopping = false;

  const start = (place: Place): Promise<{ worker: Worker; port: number }> => {
    return new Promise((resolve, reject) => {
      const worker = cluster.fork({ WORKER_NUMBER: String(place.number) });
      keepHandedOver(worker, () => live().length > 0);
      const late = setTimeout(() => worker.process.kill('SIGKILL'), startTimeoutMs);
      const pulse = watchPulse(worker, { number: place.number, everyMs: pulseMs });
      let readyAt = Number.POSITIVE_INFINITY;
      worker.on('message', (sent: unknown) => {
        const message = readMessage(fromWorkerSchema, sent);
        if (message?.kind === 'ready') {
          clearTimeout(late);
          readyAt = performance.now();
          pulse.begin();
          resolve({ worker, port: message.port });
        } else if (message?.kind === 'pulse') {
          pulse.hear();
        } else if (message) {
          relay.hear(worker, message);
          farewell.hear(worker, message);
        }
      });
      worker.on('error', (error) => {
        // The system has made no process, and none will end: it is out of them, or of descriptors.
        if (worker.process.pid === undefined) {
          clearTimeout(late);
          return reject(error);
        }
        // What is sent to a worker that has just died comes back as this.
        log().warn({ err: error, worker: place.number }, 'worker lost');
      });
      worker.once('exit', (code, signal) => {
        clearTimeout(late);
        pulse.end();
        farewell.check();
        reject(new Error(`Worker ${place.number} ended with ${signal ?? code} as it started.`));
        if (place.worker === worker) {
          place.worker = undefined;
          replace(place, Math.max(0, performance.now() - readyAt), signal ?? code);
        }
      });
    });
  };

  const fill = (place: Place) => {
    start(place).then(
      ({ worker }) => take(place, worker),
      (error: unknown) => replace(place, 0, String(error)),
    );
  };

  const replace = (place: Place, servedMs: number, how: string | number) => {
    if (isStopping) return;
    const delayMs = place.hasNext ? 0 : place.nextStartMs(servedMs);
    log().error({ worker: place.number, how, delayMs }, 'worker ended; another is started');
    if (place.hasNext) return;
    setTimeout(() => {
      if (!isStopping) fill(place);
    }, delayMs);
  };

  /**
   * From here on the worker is the one of its place, instead of `before`. Where that comes too late,
   * it is told to stop.
   */
  const take = (place: Place, worker: Worker, before?: Worker) => {
    const isTaken = place.worker !== undefined && place.worker !== before;
    if (isStopping || isTaken) void end(worker);
    else place.worker = worker;
  };

  const [first, ...others] = places;
  if (!first) throw new Error('No worker was asked for');
  const { worker, port } = await start(first);
  take(first, worker);
  others.forEach(fill);

  /** Has a new worker take the place, and then `before` end. Resolves to whether one has started. */
  const renew = async (place: Place, before: Worker): Promise<boolean> => {
    try {
      place.hasNext = true;
      const { worker: after } = await start(place).finally(() => {
        place.hasNext = false;
      });
      take(place, after, before);
      await end(before);
      return true;
    } catch (error) {
      if (isStopping) return false;
      log().error({ err: error }, 'a new worker does not start; the others go on');
      if (!place.worker) replace(place, 0, String(error));
      return false;
    }
  };

  const restartAll = async () => {
    say('Replacing the workers …');
    for (const place of places) {
      if (isStopping) return;
      // One that is dead is being replaced already.
      if (place.worker && !(await renew(place, place.worker))) return;
    }
    say('The workers are replaced.');
  };
  process.on('SIGHUP', oneAtATime(restartAll));

  return {
    port,
    async stop() {
      isStopping = true;
      // One that hangs would outlast this process, which waits for so long and no longer.
      process.once('exit', () => {
        for (const worker of all()) worker.process.kill('SIGKILL');
      });
      farewell.begin();
      const ends = await Promise.all(all().map(end));
      return ends.every((isInOrder) => isInOrder);
    },
  };
}

/** Also those that start, and those that are about to end. */
function all(): Worker[] {
  const workers = Object.values(cluster.workers ?? {});
  return workers.filter((one): one is Worker => one !== undefined && !one.isDead());
}

/**
 * Has a worker finish what it has begun. Resolves to whether it did. By a signal, which ends at once
 * who still loads; a message would be heard when that is done.
 */
function end(worker: Worker): Promise<boolean> {
  return new Promise((resolve) => {
    if (worker.isDead()) return resolve(true);
    const late = setTimeout(() => worker.process.kill('SIGKILL'), killAfterMs);
    worker.once('exit', (code, signal) => {
      clearTimeout(late);
      // The signal itself ends nobody who has begun anything.
      resolve(code === 0 || signal === 'SIGTERM');
    });
    worker.process.kill('SIGTERM');
  });
}

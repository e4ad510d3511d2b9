import { createLastingFailure, type LastingFailure } from '../logging/lasting-failure';
import { log } from '../logging/log';
import type { Job, JobContext } from './job';

/** How long a job rests after it failed to look for work, or to say when there is some. */
const afterFailureMs = 1000;
/** How long to wait at most before looking for more while work is under way, which may be long. */
const busySleepMs = 1000;

type Turn = {
  started: number;
  /** A job took up all its room: there may be more. */
  isFull: boolean;
};

/** Jobs in the hands of one process, and what the loop and the drain do with them. */
type Turns = {
  /** Has every job start what is due. One that fails is logged, and rests while others go on. */
  take(): Promise<Turn>;
  /** Whether nothing is under way. */
  isIdle(): boolean;
  /** Whether a job has ever failed to go on, or has said that something failed. */
  hasFailed(): boolean;
  /** How long nothing may become due by itself, up to `longestMs`. */
  restMs(longestMs: number): Promise<number>;
  abort(): void;
  settled(): Promise<void>;
};

export function createTurns(jobs: readonly Job[], context: JobContext): Turns {
  let hasFailed = false;
  const onFailed = () => {
    hasFailed = true;
  };
  const running = jobs.map(({ name, begin }) => ({
    name,
    job: begin({ ...context, onFailed }),
    restsUntil: Number.NEGATIVE_INFINITY,
    // Each for itself: where one fails and the other does not, neither is over.
    starting: createLastingFailure(),
    foretelling: createLastingFailure(),
  }));
  type Running = (typeof running)[number];

  const guarded = async <T>(
    one: Running,
    failure: LastingFailure,
    task: () => Promise<T>,
  ): Promise<T | undefined> => {
    if (performance.now() < one.restsUntil) return undefined;
    try {
      const result = await task();
      if (failure.end()) log().info({ job: one.name }, 'background job goes on again');
      return result;
    } catch (error) {
      const times = failure.add();
      if (times !== undefined) {
        log().error({ err: error, job: one.name, times }, 'background job failed to go on');
      }
      one.restsUntil = performance.now() + afterFailureMs;
      onFailed();
      return undefined;
    }
  };
  const restOf = async (one: Running): Promise<number> => {
    if (one.job.underWay() > 0) return busySleepMs;
    const dueInMs = await guarded(one, one.foretelling, () => one.job.nextDueInMs());
    const restMs = one.restsUntil - performance.now();
    return restMs > 0 ? restMs : (dueInMs ?? Number.POSITIVE_INFINITY);
  };

  return {
    async take() {
      const started = await Promise.all(
        running.map((one) => guarded(one, one.starting, () => one.job.start())),
      );
      return {
        started: started.reduce((sum, one) => sum + (one?.started ?? 0), 0),
        isFull: started.some((one) => one?.isFull),
      };
    },
    isIdle: () => running.every(({ job }) => job.underWay() === 0),
    hasFailed: () => hasFailed,
    async restMs(longestMs) {
      const rests = await Promise.all(running.map(restOf));
      return Math.max(1, Math.min(longestMs, ...rests));
    },
    abort() {
      for (const { job } of running) job.abort();
    },
    async settled() {
      await Promise.all(running.map(({ job }) => job.settled()));
    },
  };
}

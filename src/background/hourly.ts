import { log } from '../log';
import { type Job, nothingStarted } from './job';
import { createPlaces } from './places';

const everyMs = 60 * 60 * 1000;
/** How long a round that failed waits for the next; twice as long with each that fails too, up to the hour. */
const afterFailureMs = 60 * 1000;
/** How long one round may take. What is left then waits for the next. */
const roundMs = 10_000;

type Round = {
  /** Milliseconds of `Date.now()` at which to stop. */
  endAt: number;
  /** Instead of the database's clock. */
  now: Date | undefined;
};

/**
 * A job that is done at the begin, and once an hour: a short round of statements, each for itself. One
 * that failed is repeated sooner.
 */
export function hourlyJob(name: string, round: (round: Round) => Promise<unknown>): Job {
  return {
    name,
    begin({ now, deadlineAt = Number.POSITIVE_INFINITY, onDone }) {
      const places = createPlaces(1, onDone);
      let nextAt = Number.NEGATIVE_INFINITY;
      let failures = 0;
      return {
        async start() {
          if (performance.now() < nextAt || places.free() === 0) return nothingStarted;
          nextAt = performance.now() + everyMs;
          places.take(async () => {
            try {
              await round({ endAt: Math.min(Date.now() + roundMs, deadlineAt), now });
              failures = 0;
            } catch (error) {
              nextAt = performance.now() + Math.min(afterFailureMs * 2 ** failures, everyMs);
              failures += 1;
              log().error({ err: error, job: name }, 'an hourly job failed');
            }
          });
          return nothingStarted;
        },
        underWay: places.taken,
        nextDueInMs: async () => nextAt - performance.now(),
        abort: () => {},
        settled: places.settled,
      };
    },
  };
}

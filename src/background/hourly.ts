import { database } from '../database/client';
import type { Prisma } from '../database/generated/client';
import { log } from '../logging/log';
import { type Job, nothingStarted } from './job';
import { createPlaces } from './places';

const everyMs = 60 * 60 * 1000;
/** How long a round that failed waits for the next; twice as long with each that fails too, up to the hour. */
const afterFailureMs = 60 * 1000;
/** How long one round may take. */
const roundMs = 10_000;
/** How far apart the rounds are that do what others left undone, of all jobs of the process together. */
const followUpEveryMs = 60 * 1000;

/** When the last follow-up round begins that is scheduled by now. */
let lastFollowUpAt = Number.NEGATIVE_INFINITY;

/** When it begins: in a minute, or a minute after the last one scheduled. */
function scheduleFollowUp(): number {
  lastFollowUpAt = Math.max(performance.now(), lastFollowUpAt) + followUpEveryMs;
  return lastFollowUpAt;
}

type Round = {
  /** Milliseconds of `Date.now()` at which to stop. */
  endAt: number;
  /** Instead of the database's clock. */
  now: Date | undefined;
};

/**
 * A job that is done at the begin, and once an hour: a short round of statements, each for itself. One
 * that failed is repeated sooner. `round` resolves to whether its time was up before its work was done:
 * the next then follows sooner too. However many jobs left something undone, such rounds take 10 of
 * 60 seconds together.
 */
export function hourlyJob(name: string, round: (round: Round) => Promise<boolean>): Job {
  return {
    name,
    begin({ now, deadlineAt = Number.POSITIVE_INFINITY, onDone, onFailed }) {
      const places = createPlaces(1, onDone);
      let nextAt = Number.NEGATIVE_INFINITY;
      let failures = 0;
      return {
        async start() {
          if (performance.now() < nextAt || places.free() === 0) return nothingStarted;
          nextAt = performance.now() + everyMs;
          places.take(async () => {
            try {
              const endAt = Math.min(Date.now() + roundMs, deadlineAt);
              if (await round({ endAt, now })) nextAt = scheduleFollowUp();
              failures = 0;
            } catch (error) {
              nextAt = performance.now() + Math.min(afterFailureMs * 2 ** failures, everyMs);
              failures += 1;
              log().error({ err: error, job: name }, 'an hourly job failed');
              onFailed?.();
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

/**
 * For a round: repeats a statement that changes up to `batch` rows, until they are fewer or it is `endAt`.
 * Resolves to whether that came first, so that there may be more.
 */
export async function repeatUntil(
  endAt: number,
  batch: number,
  statement: Prisma.Sql,
): Promise<boolean> {
  while (Date.now() < endAt) {
    if ((await database().$executeRaw(statement)) < batch) return false;
  }
  return true;
}

import { longestWaitMs, readRetryAfter, waitMs } from '../background/backoff';

const minute = 60_000;
const hour = 60 * minute;

/** How long after a failed try the next one follows; the last step repeats. */
const retryScheduleMs = [
  minute,
  5 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
] as const;

/** For how long after its job was made a video is tried again. */
export const retryForMs = 24 * hour;

/** The longest that `retryDelayMs` has one wait, by how many tries there were; the last one repeats. */
export const longestDelaysMs = [0, ...retryScheduleMs.map(longestWaitMs)];

/**
 * How long to wait after so many failed tries, in milliseconds. A Retry-After is honoured within one
 * to two times the step. `random` gives 0 to 1.
 */
export function retryDelayMs(
  { attempts, retryAfter }: { attempts: number; retryAfter: string | undefined },
  now: Date,
  random: () => number,
): number {
  const stepMs = retryScheduleMs[attempts - 1] ?? 4 * hour;
  return Math.round(waitMs(stepMs, readRetryAfter(retryAfter, now), random));
}

import { longestWaitMs, readRetryAfter, waitMs } from '../../background/backoff';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long after a failed attempt the next one follows: the first failure, the second, … */
export const retryScheduleMs = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** A receiver that asks for less gets this much rest at least. */
const tooManyRequestsMs = minute;

/** The longest that `retryDelayMs` has one wait, by how many failures there were. */
export const longestDelaysMs = [
  0,
  ...retryScheduleMs.map((stepMs) => Math.max(longestWaitMs(stepMs), tooManyRequestsMs)),
];

type Failure = {
  /** Failed attempts before this one. */
  step: number;
  /** Of the answer; null where none came. */
  status: number | null;
  /** The answer's Retry-After header. */
  retryAfter: string | undefined;
};

/**
 * How long to wait after a failure, in milliseconds; undefined where the schedule has ended. A
 * Retry-After is honoured within one to two times the step. `random` gives 0 to 1.
 */
export function retryDelayMs(
  { step, status, retryAfter }: Failure,
  now: Date,
  random: () => number,
): number | undefined {
  const stepMs = retryScheduleMs[step];
  if (stepMs === undefined) return undefined;
  const delayMs = waitMs(stepMs, readRetryAfter(retryAfter, now), random);
  return Math.round(status === 429 ? Math.max(delayMs, tooManyRequestsMs) : delayMs);
}

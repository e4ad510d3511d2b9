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

/** Spreads retries by up to a fifth, so that what failed together does not return together. */
const jitter = 0.2;

/** A receiver that asks for less gets this much rest at least. */
const tooManyRequestsMs = minute;

export type Failure = {
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
  const askedMs = readRetryAfter(retryAfter, now);
  const delayMs =
    askedMs === undefined
      ? stepMs * (1 - jitter + 2 * jitter * random())
      : Math.min(Math.max(askedMs, stepMs), 2 * stepMs);
  return Math.round(status === 429 ? Math.max(delayMs, tooManyRequestsMs) : delayMs);
}

/** RFC 9110, section 10.2.3: seconds or a date. Milliseconds from now; undefined for anything else. */
function readRetryAfter(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * second;
  const at = /\d{2}:\d{2}:\d{2}/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(at - now.getTime(), 0);
}

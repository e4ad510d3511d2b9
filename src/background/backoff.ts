const second = 1000;

/** Spreads tries by up to a fifth, so that what failed together does not return together. */
const jitter = 0.2;

/**
 * How long to wait after a failure, in milliseconds: the step, spread; or what was asked for, within
 * one to two times the step. `random` gives 0 to 1.
 */
export function waitMs(stepMs: number, askedMs: number | undefined, random: () => number): number {
  return askedMs === undefined
    ? stepMs * (1 - jitter + 2 * jitter * random())
    : Math.min(Math.max(askedMs, stepMs), longestWaitMs(stepMs));
}

/** The longest that `waitMs` has a step wait. */
export function longestWaitMs(stepMs: number): number {
  return 2 * stepMs;
}

/**
 * A Retry-After header, seconds or a date, in milliseconds from now; undefined for anything else.
 * RFC 9110, section 10.2.3.
 */
export function readRetryAfter(field: string | undefined, now: Date): number | undefined {
  // White space around it is no part of the value, but what `fetch` tells has some at its end.
  const value = field?.trim();
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * second;
  const at = /\d{2}:\d{2}:\d{2}/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(at - now.getTime(), 0);
}

import type { TestimonialsError } from './errors.ts';

/** How long to go on trying with one call. */
export type Patience = {
  /** Requests, the first included. By default 5. */
  maxAttempts: number;
  /** From the call to its end, waits included. By default 2 minutes. */
  totalTimeoutMs: number;
};

const firstDelayMs = 500;
const longestDelayMs = 20_000;

/** Whether the same request may succeed later: no answer, too many at once, or the service's fault. */
export function mayPass({ status, code }: TestimonialsError): boolean {
  if (status === undefined || status === 408 || status === 429 || status >= 500) return true;
  return code === 'IDEMPOTENCY_KEY_IN_USE';
}

/** Whether the request may have been done all the same, by the status that came, if one did. */
export function mayBeDone(status: number | undefined): boolean {
  return status === undefined || status < 400 || status === 408 || status >= 500;
}

/** Whether it says that the row is not there; an address that is none is another matter. */
export function isNotFound({ status, code }: TestimonialsError): boolean {
  return status === 404 && code.endsWith('_NOT_FOUND');
}

/**
 * The wait before the next attempt: what the service asks for, and besides any time up to a bound
 * that doubles with each attempt, so that clients that failed together do not come back together.
 */
export function delayMs(
  { retryAfterSeconds = 0 }: TestimonialsError,
  attempt: number,
  random: () => number,
): number {
  const bound = Math.min(longestDelayMs, firstDelayMs * 2 ** (attempt - 1));
  return retryAfterSeconds * 1000 + Math.round(random() * bound);
}

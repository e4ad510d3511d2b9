/** Where an account stands in its window. */
export type RateLimit = {
  limit: number;
  remaining: number;
  /** End of the window, Unix time in milliseconds. */
  resetAt: number;
};

export const rateLimitHeaderNames = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const;

/** Contract, section 8. */
export function rateLimitHeaders(state: RateLimit): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(state.limit),
    'X-RateLimit-Remaining': String(state.remaining),
    'X-RateLimit-Reset': String(state.resetAt),
  };
}

/** For `Retry-After`, RFC 9110, section 10.2.3: rounded up, so that the retry is not too early. */
export function secondsUntil(atMs: number, now: number): number {
  return Math.max(1, Math.ceil((atMs - now) / 1000));
}

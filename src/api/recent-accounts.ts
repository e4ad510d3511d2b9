import { singleton } from '../singleton';

/** Whoever has asked within that time counts as asking still. */
const recentMs = 1_000;

/** Longer than work takes that has the process to itself; it may have been stopped meanwhile. */
const longestRestMs = 1_000;

/** Who has asked last and when, and when anybody else has. */
const requests = () =>
  singleton('recent-accounts', () => ({
    lastAccountId: '',
    lastAt: Number.NEGATIVE_INFINITY,
    otherAt: Number.NEGATIVE_INFINITY,
  }));

/** To be told of every request that is an account's. */
export function noteRequestOf(accountId: string): void {
  const known = requests();
  if (accountId !== known.lastAccountId) {
    known.otherAt = known.lastAt;
    known.lastAccountId = accountId;
  }
  known.lastAt = performance.now();
}

/**
 * How long an account pauses, in milliseconds, with work that slows others down, after some of it that
 * took `tookMs`: as long, so that it has half of the time at most, but no longer than a second; not at
 * all where nobody else has asked within the last second.
 */
export function restMsAfter(accountId: string, tookMs: number): number {
  const { lastAccountId, lastAt, otherAt } = requests();
  const othersAt = accountId === lastAccountId ? otherAt : lastAt;
  return performance.now() - othersAt < recentMs ? Math.min(tookMs, longestRestMs) : 0;
}

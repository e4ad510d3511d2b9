import { LRUCache } from 'lru-cache';
import { webhookLimits } from '../limits';

/** How many accounts are remembered; those that were slow longest ago are forgotten first. */
const maxAccounts = 10_000;

type SlowAccounts = {
  /** An attempt of the account took so long. */
  note(accountId: string, tookMs: number): void;
  /**
   * How many places accounts count as having, for a claim: those that they have, and of one whose
   * receivers are slow at least as many as are kept for the others. `held` is whose attempts are under
   * way, and for how long.
   */
  shares(held: Iterable<{ accountId: string; forMs: number }>): Map<string, number>;
};

/**
 * Who answered slowly of late. An account has no more places than it leaves free, but as many slow
 * accounts as there are places would take them all; these never take the last quarter.
 */
export function createSlowAccounts(): SlowAccounts {
  const { slowAttemptMs, slowForMs, keptFromSlow } = webhookLimits;
  const slow = new LRUCache<string, true>({ max: maxAccounts, ttl: slowForMs });
  const note: SlowAccounts['note'] = (accountId, tookMs) => {
    if (tookMs >= slowAttemptMs) slow.set(accountId, true);
  };
  return {
    note,
    shares(held) {
      const counts = new Map<string, number>();
      for (const { accountId, forMs } of held) {
        note(accountId, forMs);
        counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
      }
      for (const accountId of slow.keys()) {
        counts.set(accountId, Math.max(counts.get(accountId) ?? 0, keptFromSlow));
      }
      return counts;
    },
  };
}

import { tooManyWaiting } from '../api/errors';
import { createFairPlaces, runInPlace } from '../fair-places';
import { singleton } from '../singleton';

/**
 * For what makes the database work hard, or an answer large: the other connections and processors
 * are there for everybody else meanwhile.
 */
const limits = {
  /** Of one account, in this process. */
  atOnce: 2,
  /** With the slowest reads known, of 0.7 s for 200,000 testimonials, all of them get their turn. */
  waiting: 150,
  waitMs: 60_000,
};

const turns = () =>
  singleton('heavy-turns', () =>
    createFairPlaces({ perKey: limits.atOnce, waitingPerKey: limits.waiting }),
  );

/**
 * Runs a heavy read or a batch of an account when it is its turn.
 * @throws ApiError RATE_LIMIT_EXCEEDED, without running it, where too many of the account wait, or it
 * waits too long
 */
export function inTurn<T>(accountId: string, task: () => Promise<T>): Promise<T> {
  return runInPlace(turns(), accountId, { waitMs: limits.waitMs, refused }, task);
}

const refused = () => tooManyWaiting(limits.waiting);

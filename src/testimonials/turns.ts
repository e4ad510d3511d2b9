import { createFairPlaces } from '../fair-places';
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
 * @throws Error, without running it, where too many of the account wait, or it waits too long
 */
export async function inTurn<T>(accountId: string, task: () => Promise<T>): Promise<T> {
  const leave = await turns().enter(accountId, AbortSignal.timeout(limits.waitMs));
  if (!leave) throw new Error(`${limits.waiting} heavy requests of the account wait already`);
  try {
    return await task();
  } finally {
    leave();
  }
}

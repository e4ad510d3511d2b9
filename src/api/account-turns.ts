import { createFairPlaces, enterPlace, runInPlace } from '../fair-places';
import { singleton } from '../singleton';
import { tooManyWaiting } from './errors';

/** Of one account, in this process. */
const limits = {
  /** With the slowest reads known, of 0.7 s for 200,000 testimonials, all of them get their turn. */
  waiting: 150,
  /** As long as an import may take, for which the account's other writes wait. */
  waitMs: 60_000,
};

/**
 * Turns of work, of which an account has `atOnce` at a time in this process; its others wait, and
 * nobody else does. `name` is theirs alone.
 */
export function accountTurns(name: string, atOnce: number) {
  const places = () =>
    singleton(name, () => createFairPlaces({ perKey: atOnce, waitingPerKey: limits.waiting }));
  const waiting = { waitMs: limits.waitMs, refused: () => tooManyWaiting(limits.waiting) };
  return {
    /**
     * Waits for a turn, and resolves to what ends it.
     * @throws ApiError RATE_LIMIT_EXCEEDED where too many of the account wait, or it waits too long
     */
    enter: (accountId: string) => enterPlace(places(), accountId, waiting),
    /** Runs a task in a turn. @throws as `enter`, without running it */
    run: <T>(accountId: string, task: () => Promise<T>) =>
      runInPlace(places(), accountId, waiting, task),
  };
}

import { createFairPlaces, enterPlace, runInPlace } from '../fair-places';
import { singleton } from '../singleton';
import { tooManyWaiting } from './errors';

/** As long as an import may take, for which the account's other writes wait. */
const waitMs = 60_000;

/**
 * Turns of work, of which an account has `atOnce` at a time in this process; its others wait, and
 * nobody else does. Of those no more than `waiting`, each for a minute. `name` is theirs alone.
 */
export function accountTurns(name: string, limits: { atOnce: number; waiting: number }) {
  const { atOnce, waiting: waitingPerKey } = limits;
  const places = () => singleton(name, () => createFairPlaces({ perKey: atOnce, waitingPerKey }));
  const waiting = { waitMs, refused: () => tooManyWaiting(waitingPerKey) };
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

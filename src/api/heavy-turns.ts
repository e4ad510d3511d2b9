import { accountTurns } from './account-turns';

/**
 * For what makes the database work hard, or an answer large: the other connections and processors
 * are there for everybody else meanwhile.
 */
const turns = accountTurns('heavy-turns', 2);

/**
 * Runs a heavy read or a batch of an account when it is its turn.
 * @throws ApiError RATE_LIMIT_EXCEEDED, without running it, where too many of the account wait, or it
 * waits too long
 */
export function inTurn<T>(accountId: string, task: () => Promise<T>): Promise<T> {
  return turns.run(accountId, task);
}

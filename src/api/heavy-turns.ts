import { accountTurns } from './account-turns';

/**
 * Runs a heavy read or a batch of an account when it is its turn: what makes the database work hard, or
 * an answer large. The other connections and processors are there for everybody else meanwhile.
 * @throws ApiError RATE_LIMIT_EXCEEDED, without running it, where too many of the account wait, or it
 * waits too long
 */
export const { run: inHeavyTurn } = accountTurns('heavy-turns', {
  atOnce: 2,
  // With the slowest reads known, of 0.7 s for 200,000 testimonials, all of them get their turn.
  waiting: 150,
});

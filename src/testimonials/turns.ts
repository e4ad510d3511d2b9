import { type PerAccount, perAccount } from '../api/per-account';
import { singleton } from '../singleton';

/** Of one account, in this process; the other connections and processors are there for the others. */
const heavyLimits = {
  atOnce: 2,
  /** With the slowest reads known, of 0.7 s for 200,000 testimonials, all of them get their turn. */
  waiting: 150,
  waitMs: 60_000,
};

/** Runs what makes the database work hard, or an answer large, when it is the account's turn. */
export const inTurn: PerAccount = (accountId, task) =>
  singleton('heavy-turns', () => perAccount(heavyLimits))(accountId, task);

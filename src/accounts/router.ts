import { router, sessionProcedure } from '../api/trpc';
import { getAccount } from './accounts';
import { account } from './schema';

/** Passwords and sessions are better-auth's, under `/api/auth`. */
export const accountRouter = router({
  get: sessionProcedure.output(account).query(({ ctx }) => getAccount(ctx.principal.accountId)),
});

import { router, sessionProcedure } from '../api/trpc';
import { listAuditEntries } from './audit';
import { auditPage, listAuditInput } from './schema';

/** For people alone: a key is not told who made the others. */
export const auditRouter = router({
  list: sessionProcedure
    .input(listAuditInput)
    .output(auditPage)
    .query(({ ctx, input }) => listAuditEntries(ctx.principal.accountId, input)),
});

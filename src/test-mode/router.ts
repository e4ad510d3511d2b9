import { setMode } from '../accounts/test-account';
import { ApiError } from '../api/errors';
import { modeOf, ownerOf } from '../api/principal';
import { router, sessionProcedure, whereThereIsRoom } from '../api/trpc';
import { countTestData, emptyTestData } from './emptying';
import { addSamples } from './samples';
import { addedSamples, emptied, modeAnswer, modeInput, testDataCounts } from './schema';

/** Open in test mode alone: what it is about is never a live account's. */
const testProcedure = sessionProcedure.use(({ ctx, next }) => {
  if (modeOf(ctx.principal) !== 'test') {
    throw new ApiError('MODE_CHANGED', { message: 'Only test data can be filled and emptied so.' });
  }
  return next();
});

/** Test mode, for a signed-in person. */
export const testModeRouter = router({
  /** Of this session, in every tab. What a tab shows that is in the other mode is refused from now on. */
  set: sessionProcedure
    .meta({ isOfAnyMode: true })
    .input(modeInput)
    .output(modeAnswer)
    .mutation(async ({ ctx: { principal }, input }) => {
      const { sessionId: id } = principal;
      if (!id) throw new ApiError('UNAUTHORIZED');
      return { mode: await setMode({ id, ownerId: ownerOf(principal), mode: input.mode }) };
    }),

  addSamples: testProcedure
    .meta({ scope: 'write', isKept: true })
    .use(whereThereIsRoom)
    .output(addedSamples)
    .mutation(({ ctx }) => addSamples(ctx.principal.accountId, ctx.writer)),

  count: testProcedure
    .meta({ scope: 'read' })
    .output(testDataCounts)
    .query(({ ctx }) => countTestData(ctx.principal.accountId)),

  empty: testProcedure
    .meta({ scope: 'delete' })
    .output(emptied)
    .mutation(({ ctx }) => emptyTestData(ctx.principal.accountId)),
});

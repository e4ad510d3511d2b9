import { modeOf } from '../api/principal';
import { router, sessionProcedure } from '../api/trpc';
import { getRequest, listKeys, listRequests, readVolume } from './requests';
import {
  keyChoices,
  listRequestsInput,
  requestIdInput,
  requestPage,
  requestWithDetail,
  volume,
  volumeInput,
} from './schema';

/** The log of API requests, for a signed-in person. */
export const requestsRouter = router({
  list: sessionProcedure
    .input(listRequestsInput)
    .output(requestPage)
    .query(({ ctx, input }) => listRequests(ctx.principal.accountId, input)),

  get: sessionProcedure
    .input(requestIdInput)
    .output(requestWithDetail)
    .query(({ ctx, input }) => getRequest(ctx.principal.accountId, input.id)),

  keys: sessionProcedure.output(keyChoices).query(({ ctx }) => listKeys(ctx.principal.accountId)),

  volume: sessionProcedure
    .input(volumeInput)
    .output(volume)
    .query(({ ctx, input }) => readVolume(ctx.principal.accountId, input, modeOf(ctx.principal))),
});

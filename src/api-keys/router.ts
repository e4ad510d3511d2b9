import { z } from 'zod';
import { router, sessionProcedure } from '../api/trpc';
import {
  createApiKey,
  deleteApiKey,
  getApiKey,
  getUsage,
  listApiKeys,
  rotateApiKey,
  updateApiKey,
} from './api-keys';
import {
  apiKey,
  apiKeyIdInput,
  apiUsage,
  createApiKeyInput,
  createdApiKey,
  rotateApiKeyInput,
  updateApiKeyInput,
} from './schema';

/** Keys are managed by a signed-in person; no key can make or see another. Contract, section 5. */
export const apiKeysRouter = router({
  list: sessionProcedure
    .output(z.array(apiKey))
    .query(({ ctx }) => listApiKeys(ctx.principal.accountId)),

  get: sessionProcedure
    .input(apiKeyIdInput)
    .output(apiKey)
    .query(({ ctx, input }) => getApiKey(ctx.principal.accountId, input.id)),

  create: sessionProcedure
    .input(createApiKeyInput)
    .output(createdApiKey)
    .mutation(({ ctx, input }) => createApiKey(ctx.principal.accountId, input)),

  update: sessionProcedure
    .input(updateApiKeyInput)
    .output(apiKey)
    .mutation(({ ctx, input: { id, ...changes } }) =>
      updateApiKey(ctx.principal.accountId, id, changes),
    ),

  rotate: sessionProcedure
    .input(rotateApiKeyInput)
    .output(createdApiKey)
    .mutation(({ ctx, input }) =>
      rotateApiKey(ctx.principal.accountId, input.id, input.overlap_hours),
    ),

  delete: sessionProcedure
    .input(apiKeyIdInput)
    .mutation(({ ctx, input }) => deleteApiKey(ctx.principal.accountId, input.id)),

  usage: sessionProcedure.output(apiUsage).query(({ ctx }) => getUsage(ctx.principal.accountId)),
});

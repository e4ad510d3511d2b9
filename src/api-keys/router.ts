import { z } from 'zod';
import { router, sessionProcedure } from '../api/trpc';
import { createApiKey, deleteApiKey, listApiKeys, updateApiKey } from './api-keys';
import {
  apiKey,
  apiKeyIdInput,
  createApiKeyInput,
  createdApiKey,
  updateApiKeyInput,
} from './schema';

/** Keys are managed by a signed-in person; no key can make or see another. Contract, section 5. */
export const apiKeysRouter = router({
  list: sessionProcedure
    .output(z.array(apiKey))
    .query(({ ctx }) => listApiKeys(ctx.principal.accountId)),

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

  delete: sessionProcedure
    .input(apiKeyIdInput)
    .mutation(({ ctx, input }) => deleteApiKey(ctx.principal.accountId, input.id)),
});

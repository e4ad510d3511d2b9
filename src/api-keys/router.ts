import { z } from 'zod';
import { modeOf } from '../api/principal';
import { keyProcedure, router, sessionProcedure } from '../api/trpc';
import { actorOf } from '../audit/actor';
import {
  createApiKey,
  deleteApiKey,
  getApiKey,
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
  selfAnswer,
  updateApiKeyInput,
} from './schema';
import { describeKey, getUsage } from './usage';

/** Keys are managed by a signed-in person; no key can make or see another. Contract, section 5. */
export const apiKeysRouter = router({
  self: keyProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/me',
        operationId: 'getMe',
        summary: 'Describe the key and its account',
        description:
          'For checking a key: whose it is, what it may do, and what is left of the limit.',
        tags: ['Account'],
      },
      scope: 'any',
      success: 200,
      conditional: false,
    })
    .input(z.object({}))
    .output(selfAnswer)
    .query(async ({ ctx }) => ({ data: await describeKey(ctx.accountId, ctx.keyId, ctx.mode) })),

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
    .mutation(({ ctx, input }) =>
      createApiKey(ctx.principal.accountId, input, actorOf(ctx.principal), ctx.once?.key),
    ),

  update: sessionProcedure
    .input(updateApiKeyInput)
    .output(apiKey)
    .mutation(({ ctx, input: { id, ...changes } }) =>
      updateApiKey(ctx.principal.accountId, id, changes, actorOf(ctx.principal)),
    ),

  rotate: sessionProcedure
    .input(rotateApiKeyInput)
    .output(createdApiKey)
    .mutation(({ ctx: { principal, once }, input: { id, overlap_hours } }) =>
      rotateApiKey(principal.accountId, id, overlap_hours, actorOf(principal), once?.key),
    ),

  delete: sessionProcedure
    .input(apiKeyIdInput)
    .mutation(({ ctx, input }) =>
      deleteApiKey(ctx.principal.accountId, input.id, actorOf(ctx.principal)),
    ),

  usage: sessionProcedure
    .output(apiUsage)
    .query(({ ctx }) => getUsage(ctx.principal.accountId, modeOf(ctx.principal))),
});

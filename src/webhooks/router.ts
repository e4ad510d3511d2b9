import { z } from 'zod';
import { procedure, router, sessionProcedure, whereThereIsRoom } from '../api/trpc';
import { actorOf } from '../audit/actor';
import {
  countReplayable,
  getDelivery,
  listDeliveries,
  replayFailed,
  resendDelivery,
  sendTestEvent,
} from './deliveries';
import {
  delivery,
  deliveryIdInput,
  deliveryPage,
  deliveryWithAttempts,
  listDeliveriesInput,
  replayableCount,
  replayFailedAnswer,
  replayFailedInput,
} from './delivery-schema';
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  rotateSecret,
  updateEndpoint,
} from './endpoints';
import { webhookLimits } from './limits';
import {
  createEndpointInput,
  endpointIdInput,
  endpointWithSecret,
  sendTestInput,
  updateEndpointInput,
  webhookEndpoint,
  webhookEndpoints,
} from './schema';

const tags = ['Webhook endpoints'];

/**
 * Whoever says where events go reads all of them, so that to write alone is not enough. Nothing of
 * it counts among what an account stores: an endpoint can be paused and its secret rotated whatever
 * else is full. How deliveries fare changes without a change of testimonials: no entity tags.
 */
const changesEndpoint = {
  scope: ['read', 'write'],
  needsRoom: false,
  isEnveloped: true,
} as const;

const endpoints = router({
  list: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/webhook-endpoints',
        operationId: 'listWebhookEndpoints',
        summary: 'List webhook endpoints',
        description: 'Newest first, with how their deliveries fare.',
        tags,
      },
      scope: 'read',
      isEnveloped: true,
      success: 200,
      conditional: false,
    })
    .input(z.object({}).optional())
    .output(webhookEndpoints)
    .query(({ ctx }) => listEndpoints(ctx.principal.accountId)),

  create: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/webhook-endpoints',
        operationId: 'createWebhookEndpoint',
        summary: 'Create a webhook endpoint',
        description: `From the next change on, the URL is sent the events of the chosen types. The answer has the signing secret, which is told here and by a rotation, and nowhere else. An account may have ${webhookLimits.endpointsPerAccount} endpoints; one more answers 409 \`LIMIT_EXCEEDED\`.`,
        tags,
      },
      ...changesEndpoint,
      isSecret: true,
      success: 201,
      errors: ['LIMIT_EXCEEDED'],
    })
    .input(createEndpointInput)
    .output(endpointWithSecret)
    .mutation(({ ctx, input }) =>
      createEndpoint(ctx.principal.accountId, input, actorOf(ctx.principal), ctx.writer),
    ),

  get: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/webhook-endpoints/{id}',
        operationId: 'getWebhookEndpoint',
        summary: 'Get a webhook endpoint',
        tags,
      },
      scope: 'read',
      isEnveloped: true,
      success: 200,
      errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
      conditional: false,
    })
    .input(endpointIdInput)
    .output(webhookEndpoint)
    .query(({ ctx, input }) => getEndpoint(ctx.principal.accountId, input.id)),

  update: procedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/webhook-endpoints/{id}',
        operationId: 'updateWebhookEndpoint',
        summary: 'Update, pause or resume a webhook endpoint',
        description:
          'At least one field is required; unknown fields are ignored. Paused, it gets no new deliveries, and what is pending waits. Resumed, or sent elsewhere, it starts without its failures.',
        tags,
      },
      ...changesEndpoint,
      success: 200,
      errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
    })
    .input(updateEndpointInput)
    .output(webhookEndpoint)
    .mutation(({ ctx, input: { id, ...changes } }) =>
      updateEndpoint(ctx.principal.accountId, id, changes, actorOf(ctx.principal), ctx.writer),
    ),

  delete: procedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/webhook-endpoints/{id}',
        operationId: 'deleteWebhookEndpoint',
        summary: 'Delete a webhook endpoint',
        description: 'Nothing more is sent to it, and the log of its deliveries goes with it.',
        tags,
      },
      scope: 'delete',
      success: 204,
      errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
    })
    .input(endpointIdInput)
    .output(z.void())
    .mutation(({ ctx, input }) =>
      deleteEndpoint(ctx.principal.accountId, input.id, actorOf(ctx.principal), ctx.writer),
    ),

  sendTest: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/webhook-endpoints/{id}/test',
        operationId: 'testWebhookEndpoint',
        summary: 'Send a test event',
        description:
          'A made-up event, signed like a real one and marked with `is_test`. It is sent once, after this answer. A failed one is not among `failure_count`, but a 410 switches the endpoint off as ever; `last_day` counts it. `GET /webhook-deliveries/{id}` says what became of it. The body may be left out.',
        tags,
      },
      scope: ['read', 'write'],
      isEnveloped: true,
      isBodyOptional: true,
      success: 201,
      errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_ENDPOINT_PAUSED'],
    })
    .input(sendTestInput)
    .use(whereThereIsRoom)
    .output(delivery)
    .mutation(({ ctx, input }) => sendTestEvent(ctx.principal.accountId, input, ctx.writer)),

  rotateSecret: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/webhook-endpoints/{id}/rotate-secret',
        operationId: 'rotateWebhookEndpointSecret',
        summary: 'Rotate the signing secret of a webhook endpoint',
        description:
          'The answer has the new secret, which is told this once. The old one signs beside it for 24 hours, so that a receiver can be changed over without losing a delivery. Rotating again within that time ends the older one at once: only the secret before the last rotation is kept. It takes no body.',
        tags,
      },
      ...changesEndpoint,
      isSecret: true,
      isBodyOptional: true,
      success: 200,
      errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
    })
    .input(endpointIdInput)
    .output(endpointWithSecret)
    .mutation(({ ctx, input }) =>
      rotateSecret(ctx.principal.accountId, input.id, actorOf(ctx.principal), ctx.writer),
    ),
});

const deliveries = router({
  list: sessionProcedure
    .input(listDeliveriesInput)
    .output(deliveryPage)
    .query(({ ctx, input }) => listDeliveries(ctx.principal.accountId, input)),

  get: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/webhook-deliveries/{id}',
        operationId: 'getWebhookDelivery',
        summary: 'Get a delivery with its attempts',
        description: `What was sent to an endpoint, and what it answered to the newest ${webhookLimits.keptAttempts} attempts. Kept for 30 days.`,
        tags,
      },
      scope: 'read',
      isEnveloped: true,
      success: 200,
      errors: ['DELIVERY_NOT_FOUND'],
      conditional: false,
    })
    .input(deliveryIdInput)
    .output(deliveryWithAttempts)
    .query(({ ctx, input }) => getDelivery(ctx.principal.accountId, input.id)),

  resend: sessionProcedure
    .input(deliveryIdInput)
    .output(delivery)
    .mutation(({ ctx, input }) => resendDelivery(ctx.principal.accountId, input.id)),

  countReplayable: sessionProcedure
    .input(replayFailedInput)
    .output(replayableCount)
    .query(({ ctx, input }) => countReplayable(ctx.principal.accountId, input)),

  replayFailed: sessionProcedure
    .input(replayFailedInput)
    .output(replayFailedAnswer)
    .mutation(({ ctx, input }) => replayFailed(ctx.principal.accountId, input)),
});

/** Endpoints and their deliveries. Contract, section 6. */
export const webhooksRouter = router({ endpoints, deliveries });

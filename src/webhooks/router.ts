import { z } from 'zod';
import { router, sessionProcedure } from '../api/trpc';
import {
  getDelivery,
  listDeliveries,
  replayFailed,
  resendDelivery,
  sendTestEvent,
} from './deliveries';
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  rotateSecret,
  updateEndpoint,
} from './endpoints';
import {
  createEndpointInput,
  delivery,
  deliveryIdInput,
  deliveryPage,
  deliveryWithAttempts,
  endpointIdInput,
  endpointWithSecret,
  listDeliveriesInput,
  replayFailedAnswer,
  replayFailedInput,
  sendTestInput,
  updateEndpointInput,
  webhookEndpoint,
} from './schema';

const endpoints = router({
  list: sessionProcedure
    .output(z.array(webhookEndpoint))
    .query(({ ctx }) => listEndpoints(ctx.principal.accountId)),

  get: sessionProcedure
    .input(endpointIdInput)
    .output(webhookEndpoint)
    .query(({ ctx, input }) => getEndpoint(ctx.principal.accountId, input.id)),

  create: sessionProcedure
    .input(createEndpointInput)
    .output(endpointWithSecret)
    .mutation(({ ctx, input }) => createEndpoint(ctx.principal.accountId, input)),

  update: sessionProcedure
    .input(updateEndpointInput)
    .output(webhookEndpoint)
    .mutation(({ ctx, input: { id, ...changes } }) =>
      updateEndpoint(ctx.principal.accountId, id, changes),
    ),

  rotateSecret: sessionProcedure
    .input(endpointIdInput)
    .output(endpointWithSecret)
    .mutation(({ ctx, input }) => rotateSecret(ctx.principal.accountId, input.id)),

  delete: sessionProcedure
    .input(endpointIdInput)
    .mutation(({ ctx, input }) => deleteEndpoint(ctx.principal.accountId, input.id)),

  sendTest: sessionProcedure
    .input(sendTestInput)
    .output(delivery)
    .mutation(({ ctx, input }) => sendTestEvent(ctx.principal.accountId, input)),
});

const deliveries = router({
  list: sessionProcedure
    .input(listDeliveriesInput)
    .output(deliveryPage)
    .query(({ ctx, input }) => listDeliveries(ctx.principal.accountId, input)),

  get: sessionProcedure
    .input(deliveryIdInput)
    .output(deliveryWithAttempts)
    .query(({ ctx, input }) => getDelivery(ctx.principal.accountId, input.id)),

  resend: sessionProcedure
    .input(deliveryIdInput)
    .output(delivery)
    .mutation(({ ctx, input }) => resendDelivery(ctx.principal.accountId, input.id)),

  replayFailed: sessionProcedure
    .input(replayFailedInput)
    .output(replayFailedAnswer)
    .mutation(({ ctx, input }) => replayFailed(ctx.principal.accountId, input)),
});

/** Endpoints and their deliveries, for a signed-in person. Contract, section 6. */
export const webhooksRouter = router({ endpoints, deliveries });

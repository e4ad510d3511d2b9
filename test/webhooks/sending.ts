import { randomUUID } from 'node:crypto';
import { contractEventTypes } from '@/src/outbox/event-types';
import { webhookLimits } from '@/src/webhooks/limits';
import { type Claimed, claimDue } from '@/src/webhooks/sending/claim';
import { createTenant, type Tenant } from '@/test/helpers/accounts';
import { addPending } from './backlog';
import { type Webhooks, webhooksOf } from './dashboard';
import { type Answer, openReceiver, type Receiver } from './receiver';

/** The most endpoints that an account may have, all served by its receiver, each with so much due. */
export async function withBacklog(sending: Sending, each: number): Promise<void> {
  const { webhooks, receiver, endpointId } = sending;
  const ids = [endpointId];
  while (ids.length < webhookLimits.endpointsPerAccount) {
    const input = { url: receiver.url, event_types: [...contractEventTypes] };
    ids.push((await webhooks.endpoints.create(input)).id);
  }
  for (const id of ids) await addPending(id, each);
}

export type Sending = {
  tenant: Tenant;
  webhooks: Webhooks;
  receiver: Receiver;
  endpointId: string;
  secret: string;
  spaceId: string;
  /** Writes a testimonial, and so an event. Returns its id. */
  write(): Promise<string>;
  endpoint(): ReturnType<Webhooks['endpoints']['get']>;
  /** The endpoint's deliveries, newest first. */
  deliveries(): Promise<Awaited<ReturnType<Webhooks['deliveries']['list']>>['data']>;
};

/** A new account with a space and an endpoint that a new receiver serves. */
export async function newSending(answer?: Answer): Promise<Sending> {
  const tenant = await createTenant();
  const webhooks = webhooksOf(tenant.accountId);
  const receiver = await openReceiver(answer);
  const { id: endpointId, secret } = await webhooks.endpoints.create({
    url: receiver.url,
    event_types: [...contractEventTypes],
  });
  const { id: spaceId } = await tenant.space();
  return {
    tenant,
    webhooks,
    receiver,
    endpointId,
    secret,
    spaceId,
    write: async () => (await tenant.testimonial(spaceId)).id,
    endpoint: () => webhooks.endpoints.get({ id: endpointId }),
    deliveries: async () => (await webhooks.deliveries.list({ endpoint_id: endpointId })).data,
  };
}

/** Takes what is due as a process would that has so many places free, and nothing under way. */
export async function claimAt({
  free = 128,
  now,
  underWay = new Map(),
}: {
  free?: number;
  now?: Date;
  underWay?: Map<string, number>;
} = {}): Promise<Claimed[]> {
  const ids = { token: randomUUID(), start: randomUUID() };
  const { claimed } = await claimDue({ free, underWay, now, ...ids });
  return claimed;
}

/** What became of an attempt that went well. */
export const success = {
  durationMs: 1,
  status: 200,
  errorClass: null,
  responseHeaders: [],
  responseBody: '',
  retryAfter: undefined,
  answeredAt: new Date(),
};

import { randomUUID } from 'node:crypto';
import type { CreateEndpointInput } from '@/src/webhooks/schema';
import { samples } from '../storage/files';

/** Rows of an account, by the ids that inputs may name. */
export type Ids = {
  space: string;
  testimonial: string;
  apiKey: string;
  endpoint: string;
  delivery: string;
  event: string;
  session: string;
  request: string;
};

/** Rows that nobody has. */
export const missing: Ids = {
  space: randomUUID(),
  testimonial: randomUUID(),
  apiKey: randomUUID(),
  endpoint: randomUUID(),
  delivery: randomUUID(),
  event: randomUUID(),
  session: randomUUID(),
  request: randomUUID(),
};

type Case = {
  /** An input that succeeds for the owner of these rows. */
  input: (ids: Ids) => unknown;
  /** Open to API keys alone, and so not to the owner's session. */
  isOfKeys?: true;
  /** Open in test mode alone, and so not to the owner of live rows. */
  isOfTestMode?: true;
};

export const newEndpoint: CreateEndpointInput = {
  url: 'https://receiver.example/',
  event_types: ['testimonial.created'],
  enabled: true,
};

/**
 * One case per procedure of the service, REST and session alike. A procedure without one fails the
 * first test of isolation: whoever adds it says here which rows it could reach.
 */
export const cases: Record<string, Case> = {
  'testimonials.list': { input: ({ space }) => ({ space_id: space }) },
  'testimonials.create': {
    input: ({ space }) => ({
      space_id: space,
      type: 'text',
      submitter_name: 'Intruder',
      submitter_email: 'intruder@example.com',
    }),
  },
  'testimonials.get': { input: ({ testimonial }) => ({ id: testimonial }) },
  'testimonials.update': { input: ({ testimonial }) => ({ id: testimonial, status: 'rejected' }) },
  'testimonials.delete': { input: ({ testimonial }) => ({ id: testimonial }) },
  'testimonials.updateBatch': {
    input: ({ testimonial }) => ({ testimonial_ids: [testimonial], status: 'rejected' }),
  },
  'testimonials.deleteBatch': { input: ({ testimonial }) => ({ testimonial_ids: [testimonial] }) },
  'spaces.list': { input: () => ({}) },
  'spaces.create': { input: () => ({ name: 'Of the caller' }) },
  'spaces.get': { input: ({ space }) => ({ id: space }) },
  'spaces.update': { input: ({ space }) => ({ id: space, name: 'Taken over' }) },
  'spaces.delete': { input: ({ space }) => ({ id: space }) },
  'events.list': { input: () => ({}) },
  'events.get': { input: ({ event }) => ({ id: event }) },
  'imports.create': {
    input: ({ space }) => ({
      testimonials: [
        {
          space_id: space,
          type: 'text',
          submitter_name: 'Intruder',
          submitter_email: 'intruder@example.com',
          external_id: 'crm-1',
        },
      ],
      on_duplicate: 'update',
    }),
  },
  'account.get': { input: () => undefined },
  'account.mail': { input: () => undefined },
  'account.sessions.list': { input: () => undefined },
  'account.sessions.end': { input: ({ session: id }) => ({ id }) },
  'account.sessions.endOthers': { input: () => undefined },
  'testMode.set': { input: () => ({ mode: 'live' }) },
  'testMode.addSamples': { input: () => undefined, isOfTestMode: true },
  'testMode.count': { input: () => undefined, isOfTestMode: true },
  'testMode.empty': { input: () => undefined, isOfTestMode: true },
  'apiKeys.self': { input: () => ({}), isOfKeys: true },
  'apiKeys.list': { input: () => undefined },
  'apiKeys.get': { input: ({ apiKey }) => ({ id: apiKey }) },
  'apiKeys.rotate': { input: ({ apiKey }) => ({ id: apiKey, overlap_hours: 0 }) },
  'apiKeys.usage': { input: () => undefined },
  'apiKeys.create': { input: () => ({ name: 'Of the caller', scopes: ['read'] }) },
  'apiKeys.update': { input: ({ apiKey }) => ({ id: apiKey, enabled: false }) },
  'apiKeys.delete': { input: ({ apiKey }) => ({ id: apiKey }) },
  'uploads.avatar': { input: () => new Blob([samples.png]).stream() },
  'uploads.thumbnail': { input: () => new Blob([samples.png]).stream() },
  'uploads.logo': { input: () => new Blob([samples.png]).stream() },
  'uploads.video': { input: () => new Blob([samples.mp4]).stream() },
  'audit.list': { input: ({ apiKey }) => ({ subject_id: apiKey }) },
  'requests.list': { input: ({ apiKey }) => ({ key_id: apiKey }) },
  'requests.get': { input: ({ request }) => ({ id: request }) },
  'requests.keys': { input: () => undefined },
  'requests.volume': { input: () => ({}) },
  'webhooks.endpoints.list': { input: () => undefined },
  'webhooks.endpoints.get': { input: ({ endpoint }) => ({ id: endpoint }) },
  'webhooks.endpoints.create': { input: () => newEndpoint },
  'webhooks.endpoints.update': { input: ({ endpoint }) => ({ id: endpoint, enabled: false }) },
  'webhooks.endpoints.rotateSecret': { input: ({ endpoint }) => ({ id: endpoint }) },
  'webhooks.endpoints.delete': { input: ({ endpoint }) => ({ id: endpoint }) },
  'webhooks.endpoints.sendTest': { input: ({ endpoint }) => ({ id: endpoint }) },
  'webhooks.deliveries.list': { input: ({ endpoint }) => ({ endpoint_id: endpoint }) },
  'webhooks.deliveries.get': { input: ({ delivery }) => ({ id: delivery }) },
  'webhooks.deliveries.resend': { input: ({ delivery }) => ({ id: delivery }) },
  'webhooks.deliveries.countReplayable': {
    input: ({ endpoint }) => ({ endpoint_id: endpoint, since: '2026-01-01T00:00:00Z' }),
  },
  'webhooks.deliveries.replayFailed': {
    input: ({ endpoint }) => ({ endpoint_id: endpoint, since: '2026-01-01T00:00:00Z' }),
  },
};

/** What the procedure of that name answers to a caller, as `appRouter.createCaller` makes one. */
export async function callByName(caller: unknown, name: string, input: unknown): Promise<unknown> {
  const call = name
    .split('.')
    .reduce<unknown>((node, step) => Reflect.get(Object(node), step), caller);
  if (typeof call !== 'function') throw new Error(`${name} cannot be called`);
  return call(input);
}

import { randomUUID } from 'node:crypto';
import { TRPCError } from '@trpc/server';
import type { Principal } from '@/src/api/principal';
import { scope } from '@/src/api/scopes';
import { createCallerFactory } from '@/src/api/trpc';
import { database } from '@/src/database/client';
import { appRouter } from '@/src/router';
import { createEndpoint } from '@/src/webhooks/endpoints';
import { createTenant } from '../helpers/accounts';
import { digestOfAccount } from '../helpers/digest';
import { samples, temporaryFiles } from '../storage/files';

temporaryFiles();

/** Rows of an account, by the ids that inputs may name. */
type Ids = {
  space: string;
  testimonial: string;
  apiKey: string;
  endpoint: string;
  delivery: string;
  event: string;
};

type Case = {
  /** An input that succeeds for the owner of these rows. */
  input: (ids: Ids) => unknown;
  /** Open to API keys alone, and so not to the owner's session. */
  isOfKeys?: true;
};

const newEndpoint = {
  url: 'https://receiver.example/',
  event_types: ['testimonial.created'],
};

/**
 * One case per procedure of the service, REST and session alike. A procedure without one fails the
 * first test: whoever adds it says here which rows it could reach.
 */
const cases: Record<string, Case> = {
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
  'account.get': { input: () => undefined },
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
  'webhooks.deliveries.replayFailed': {
    input: ({ endpoint }) => ({ endpoint_id: endpoint, since: '2026-01-01T00:00:00Z' }),
  },
};

const procedures = Object.entries<unknown>(appRouter._def.procedures);

async function createOwner() {
  const tenant = await createTenant();
  const { accountId } = tenant;
  const { id: endpoint } = await createEndpoint(accountId, newEndpoint);
  const space = await tenant.space({ name: `Secret ${accountId}` });
  const { id: testimonial } = await tenant.testimonial(space.id, { text_content: accountId });
  const apiKey = await database().apiKey.findFirstOrThrow({ where: { userId: accountId } });
  const { id: delivery, eventId: event } = await database().webhookDelivery.findFirstOrThrow({
    where: { endpointId: endpoint },
  });
  return {
    accountId,
    ids: { space: space.id, testimonial, apiKey: apiKey.id, endpoint, delivery, event },
  };
}

const createCaller = createCallerFactory(appRouter);

/** What a caller sees of a call: what it returns, or the error; as text, in which ids are masked. */
async function outcome(name: string, input: unknown, principal: Principal | null) {
  const caller: unknown = createCaller({ principal });
  const call = name
    .split('.')
    .reduce<unknown>((node, step) => Reflect.get(Object(node), step), caller);
  if (typeof call !== 'function') throw new Error(`${name} cannot be called`);
  try {
    return { isDone: true, text: JSON.stringify((await call(input)) ?? null) };
  } catch (error) {
    if (!(error instanceof TRPCError)) throw error;
    return { isDone: false, text: `${error.code} ${error.message}` };
  }
}

const session = (accountId: string): Principal => ({
  accountId,
  scopes: scope.options,
  via: 'session',
});

const apiKey = (accountId: string, keyId?: string): Principal => ({
  ...session(accountId),
  via: 'api-key',
  ...(keyId && { keyId }),
});

test('every procedure of the service has a case here', () => {
  expect(Object.keys(cases).sort()).toEqual(procedures.map(([name]) => name).sort());
});

describe.each(Object.entries(cases))('%s', (name, { input, isOfKeys }) => {
  test('answers for rows of another account as for missing ones, and leaves them untouched', async () => {
    const owner = await createOwner();
    const missing = {
      space: randomUUID(),
      testimonial: randomUUID(),
      apiKey: randomUUID(),
      endpoint: randomUUID(),
      delivery: randomUUID(),
      event: randomUUID(),
    };
    const isAboutRows = JSON.stringify(input(missing)) !== JSON.stringify(input(owner.ids));
    const before = await digestOfAccount(owner.accountId);
    for (const principalOf of [session, apiKey]) {
      const stranger = principalOf((await createTenant()).accountId);
      const forMissing = await outcome(name, input(missing), stranger);
      const forForeign = await outcome(name, input(owner.ids), stranger);
      if (isAboutRows) expect(forForeign).toEqual(forMissing);
      for (const secret of [owner.accountId, ...Object.values(owner.ids)]) {
        expect(forForeign.text).not.toContain(secret);
      }
      expect(await digestOfAccount(owner.accountId)).toBe(before);
    }
    // The same input reaches the rows when it comes from their owner.
    const principal = isOfKeys
      ? apiKey(owner.accountId, owner.ids.apiKey)
      : session(owner.accountId);
    const ofOwner = await outcome(name, input(owner.ids), principal);
    expect(ofOwner.isDone).toBe(true);
  });

  test('is closed to whoever is nobody', async () => {
    const { ids } = await createOwner();
    const answer = await outcome(name, input(ids), null);
    expect(answer).toMatchObject({ isDone: false, text: expect.stringMatching(/^UNAUTHORIZED/) });
  });
});

test('an API key opens no procedure that is not part of the REST API', async () => {
  const { accountId, ids } = await createOwner();
  const sessionOnly = procedures.filter(([, procedure]) => {
    const { meta } = Reflect.get(Object(procedure), '_def');
    return !meta?.openapi;
  });
  expect(sessionOnly.length).toBeGreaterThan(0);
  for (const [name] of sessionOnly) {
    const answer = await outcome(name, cases[name]?.input(ids), apiKey(accountId));
    expect([name, answer.text]).toEqual([name, expect.stringMatching(/^UNAUTHORIZED/)]);
  }
});

test('lists hold the rows of the caller’s account and no other', async () => {
  const [one, two] = [await createOwner(), await createOwner()];
  for (const name of [
    'testimonials.list',
    'spaces.list',
    'events.list',
    'apiKeys.list',
    'webhooks.endpoints.list',
  ]) {
    const { text } = await outcome(name, {}, session(one.accountId));
    expect(Object.values(one.ids).some((id) => text.includes(id))).toBe(true);
    expect(Object.values(two.ids).some((id) => text.includes(id))).toBe(false);
  }
});

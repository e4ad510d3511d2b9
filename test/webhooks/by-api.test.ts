import { randomUUID } from 'node:crypto';
import { errorTable } from '@/src/api/errors';
import { database } from '@/src/database/client';
import { provideEnv } from '@/src/env';
import { createKey, createTenant, type Tenant } from '../helpers/accounts';
import type { SendOptions } from '../helpers/client';
import { drainAt } from '../helpers/drain';
import { expectError, expectNoContent } from '../helpers/expectations';
import { withOwnDatabase } from '../helpers/own-database';
import { sendDescribed } from '../rest/conformance';
import { webhooksOf } from './dashboard';
import { answerWith, openReceiver, verified } from './receiver';

withOwnDatabase();

afterEach(() => provideEnv({ ALLOW_PRIVATE_NETWORK: 'true', ACCOUNT_QUOTA_BYTES: '' }));

const path = '/webhook-endpoints';
const somewhere = 'https://receiver.example/in';

/** What an automation tool does with a key that it was given. */
function subscriberOf({ api }: Tenant, key = api.key) {
  const ask = (method: string, at: string, options: SendOptions = {}) =>
    sendDescribed(method, at, { key, ...options });
  return {
    ask,
    create: (json: Record<string, unknown> = {}) =>
      ask('POST', path, {
        json: { url: somewhere, event_types: ['testimonial.created'], ...json },
      }),
  };
}

test('a tool subscribes with its key, is sent what happens, signed, and nothing once it has left', async () => {
  const tenant = await createTenant();
  const { id: space } = await tenant.space();
  const receiver = await openReceiver();
  const { ask, create } = subscriberOf(tenant);
  const subscribed = await create({ url: receiver.url, description: 'A zap' });
  expect(subscribed.status).toBe(201);
  const { id, secret } = subscribed.body.data;
  const testimonial = await tenant.testimonial(space, { rating: 5 });
  await drainAt();
  const [event] = receiver.received;
  if (!event) throw new Error('Nothing was received');
  expect(verified(event, secret)).toMatchObject({
    type: 'testimonial.created',
    data: testimonial,
  });
  expectNoContent(await ask('DELETE', `${path}/${id}`));
  await tenant.testimonial(space);
  await drainAt();
  expect(receiver.received).toHaveLength(1);
  expectError(await ask('GET', `${path}/${id}`), 404, 'WEBHOOK_ENDPOINT_NOT_FOUND');
});

test('the signing secret is told when it is made and rotated, and never else', async () => {
  const { ask, create } = subscriberOf(await createTenant());
  const { id, secret } = (await create()).body.data;
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const rotated = (await ask('POST', `${path}/${id}/rotate-secret`)).body.data;
  expect(rotated).toMatchObject({ id, secret: expect.stringMatching(/^whsec_/) });
  expect(rotated.secret).not.toBe(secret);
  const others = [
    await ask('GET', `${path}/${id}`),
    await ask('GET', path),
    await ask('PATCH', `${path}/${id}`, { json: { description: 'Chat' } }),
    await ask('POST', `${path}/${id}/test`, { json: {} }),
  ];
  expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 201]);
  for (const { text } of others) expect(text).not.toMatch(/whsec_|"secret"/);
});

test('what is made by the API is in the dashboard, and the other way round', async () => {
  const tenant = await createTenant();
  const { ask, create } = subscriberOf(tenant);
  const { endpoints } = webhooksOf(tenant.accountId);
  const { secret: _, ...byApi } = (await create()).body.data;
  const { secret: __, ...byHand } = await endpoints.create({
    url: somewhere,
    event_types: ['space.deleted'],
  });
  expect(await endpoints.list()).toEqual([byHand, byApi]);
  expect((await ask('GET', path)).body).toEqual({ data: [byHand, byApi] });
  expect((await ask('GET', `${path}/${byHand.id}`)).body.data).toEqual(byHand);
  const json = { enabled: false, event_types: ['space.created'], description: null };
  expect((await ask('PATCH', `${path}/${byHand.id}`, { json })).status).toBe(200);
  expect(await endpoints.get({ id: byHand.id })).toMatchObject({
    status: 'paused',
    event_types: ['space.created'],
  });
});

test('one that is made paused is sent nothing until it is resumed', async () => {
  const tenant = await createTenant();
  const { ask, create } = subscriberOf(tenant);
  const made = await create({ enabled: false });
  expect([made.status, made.body.data.status]).toEqual([201, 'paused']);
  const endpointId = made.body.data.id;
  const { id: spaceId } = await tenant.space();
  await tenant.testimonial(spaceId);
  const deliveries = () => database().webhookDelivery.count({ where: { endpointId } });
  expect(await deliveries()).toBe(0);
  const resumed = await ask('PATCH', `${path}/${endpointId}`, { json: { enabled: true } });
  expect(resumed.body.data.status).toBe('enabled');
  await tenant.testimonial(spaceId);
  expect(await deliveries()).toBe(1);
  expect((await create({ enabled: 'no' })).status).toBe(400);
});

test.each([
  ['plain http', { url: 'http://receiver.example/in' }],
  ['a private address', { url: 'https://127.0.0.1/in' }],
  ['a password', { url: 'https://user:secret@receiver.example/in' }],
  ['no URL', { url: 'nonsense' }],
  ['2,049 characters', { url: `${somewhere}/`.padEnd(2049, 'a') }],
  ['no event', { event_types: [] }],
  ['an event that does not exist', { event_types: ['testimonial.published'] }],
  ['an event in place of a list', { event_types: 'testimonial.created' }],
  ['a long description', { description: 'x'.repeat(501) }],
])('%s is refused, new or changed, and nobody is told which field it was', async (_, wrong) => {
  provideEnv({ ALLOW_PRIVATE_NETWORK: '' });
  const { ask, create } = subscriberOf(await createTenant());
  const { secret: __, ...endpoint } = (await create()).body.data;
  for (const answer of [
    await create(wrong),
    await ask('PATCH', `${path}/${endpoint.id}`, { json: wrong }),
    // As everywhere: what is wrong with a request comes before what it is about.
    await ask('PATCH', `${path}/${randomUUID()}`, { json: wrong }),
  ]) {
    expectError(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body.error.message).toBe(errorTable.VALIDATION_ERROR.message);
  }
  expect((await ask('GET', path)).body.data).toEqual([endpoint]);
});

test.each(['false', '', 0, null, 'true', []])(
  'enabled is true or false, and %j is neither',
  async (enabled) => {
    const tenant = await createTenant();
    const { ask, create } = subscriberOf(tenant);
    const { id } = (await create()).body.data;
    expectError(
      await ask('PATCH', `${path}/${id}`, { json: { enabled } }),
      400,
      'VALIDATION_ERROR',
    );
    expect((await ask('GET', `${path}/${id}`)).body.data.status).toBe('enabled');
  },
);

test('an account has 10 endpoints at most', async () => {
  const { ask, create } = subscriberOf(await createTenant());
  const statuses: number[] = [];
  for (let count = 0; count < 11; count += 1) statuses.push((await create()).status);
  expect(statuses).toEqual([...Array(10).fill(201), 409]);
  expectError(await create(), 409, 'LIMIT_EXCEEDED');
  const [{ id }] = (await ask('GET', path)).body.data;
  await ask('DELETE', `${path}/${id}`);
  expect((await create()).status).toBe(201);
});

describe('a test event', () => {
  test('answers its delivery, by whose id is asked what became of it', async () => {
    const tenant = await createTenant();
    const receiver = await openReceiver((response) => answerWith(response, 418, {}, 'A teapot'));
    const { ask, create } = subscriberOf(tenant);
    const { id, secret } = (await create({ url: receiver.url })).body.data;
    const sent = await ask('POST', `${path}/${id}/test`, { json: { event_type: 'space.updated' } });
    expect(sent.status).toBe(201);
    expect(sent.body.data).toMatchObject({
      endpoint_id: id,
      event_type: 'space.updated',
      is_test: true,
      state: 'pending',
      attempt_count: 0,
    });
    const delivery = () => ask('GET', `/webhook-deliveries/${sent.body.data.id}`);
    expect((await delivery()).body.data).toMatchObject({ ...sent.body.data, attempts: [] });
    await drainAt();
    const { data } = (await delivery()).body;
    expect(data).toMatchObject({
      state: 'failed',
      attempt_count: 1,
      response_status: 418,
      error_class: 'status',
      attempts: [{ number: 1, response_status: 418, response_body: 'A teapot', url: receiver.url }],
    });
    const [received] = receiver.received;
    expect(received?.body).toBe(data.payload);
    expect((await ask('GET', `${path}/${id}`)).body.data).toMatchObject({
      failing_since: null,
      failure_count: 0,
      last_day: { pending: 0, succeeded: 0, failed: 1, success_share: 0 },
    });
    if (received) expect(verified(received, secret)).toMatchObject({ is_test: true });
    const elsewhere = subscriberOf(await createTenant());
    expectError(
      await elsewhere.ask('GET', `/webhook-deliveries/${data.id}`),
      404,
      'DELIVERY_NOT_FOUND',
    );
  });

  test('may come without a body, and is then one of the type first chosen', async () => {
    const { ask, create } = subscriberOf(await createTenant());
    const { id } = (await create({ event_types: ['space.deleted', 'space.created'] })).body.data;
    const sent = await ask('POST', `${path}/${id}/test`);
    expect([sent.status, sent.body.data.event_type]).toEqual([201, 'space.deleted']);
  });

  test('is refused of a type that does not exist, and by an endpoint that is paused', async () => {
    const { ask, create } = subscriberOf(await createTenant());
    const { id } = (await create()).body.data;
    const attempt = (json: unknown) => ask('POST', `${path}/${id}/test`, { json });
    expectError(await attempt({ event_type: 'space.moved' }), 400, 'VALIDATION_ERROR');
    await ask('PATCH', `${path}/${id}`, { json: { enabled: false } });
    expectError(await attempt({}), 409, 'WEBHOOK_ENDPOINT_PAUSED');
  });
});

test('a full account can still pause, rotate and subscribe, and sends no test', async () => {
  const tenant = await createTenant();
  const { ask, create } = subscriberOf(tenant);
  await tenant.space();
  const { id } = (await create()).body.data;
  provideEnv({ ACCOUNT_QUOTA_BYTES: '1' });
  expectError(await ask('POST', `${path}/${id}/test`), 413, 'QUOTA_EXCEEDED');
  expect((await ask('POST', `${path}/${id}/rotate-secret`)).status).toBe(200);
  expect((await ask('PATCH', `${path}/${id}`, { json: { enabled: false } })).status).toBe(200);
  expect((await create()).status).toBe(201);
});

test('a key that may not read sends events nowhere, and one that may not write neither', async () => {
  const tenant = await createTenant();
  const { id } = (await subscriberOf(tenant).create()).body.data;
  for (const [scopes, missing] of [
    [['write', 'delete'], 'read'],
    [['read', 'delete'], 'write'],
  ] as const) {
    const { ask, create } = subscriberOf(tenant, await createKey(tenant.accountId, [...scopes]));
    for (const answer of [
      await create(),
      await ask('PATCH', `${path}/${id}`, { json: { url: `${somewhere}/other` } }),
      await ask('POST', `${path}/${id}/rotate-secret`),
      await ask('POST', `${path}/${id}/test`),
    ]) {
      expectError(answer, 403, 'INSUFFICIENT_SCOPE');
      expect(answer.body.error.message).toContain(`"${missing}"`);
    }
  }
});

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createKey, minimalTestimonial } from '@/test/helpers/accounts';
import { nodeFront } from '@/test/helpers/client';
import { closeServers, serve } from '@/test/outbound/servers';
import { TestimonialsError } from '../src/index.ts';
import { answer, createClient, failure } from './client';

afterEach(closeServers);

const uuid = '7f0c1a52-3c1e-4a86-9d0f-0a3d1c5b7e21';

test('a space and a testimonial are created, read, changed, listed and deleted', async () => {
  const { api, tenant } = await createClient();
  const { data: space } = await api.createSpace({ name: 'Northwind' });
  const { data: created } = await api.createTestimonial({
    space_id: space.id,
    type: 'text',
    submitter_name: 'Ada Park',
    submitter_email: 'ada@example.com',
    rating: 5,
  });
  expect(created).toMatchObject({ status: 'pending', rating: 5 });
  const { data: updated } = await api.updateTestimonial({ id: created.id, status: 'approved' });
  expect(await api.getTestimonial({ id: created.id })).toEqual({ data: updated });
  const page = await api.listTestimonials({ status: 'approved', search: undefined, limit: 10 });
  expect(page).toEqual({
    data: [updated],
    pagination: { total: 1, limit: 10, offset: 0, has_more: false },
  });
  const ids = [created.id, uuid];
  expect(
    (await api.updateTestimonialBatch({ testimonial_ids: ids, status: 'rejected' })).updated,
  ).toBe(1);
  expect(await api.deleteTestimonialBatch({ testimonial_ids: ids })).toEqual({ deleted: 1 });
  const { data: another } = await api.createTestimonial({
    space_id: space.id,
    type: 'text',
    submitter_name: 'Ada Park',
    submitter_email: 'ada@example.com',
  });
  expect(await api.deleteTestimonial({ id: another.id })).toBeUndefined();
  expect((await api.updateSpace({ id: space.id, name: 'Southwind' })).data.name).toBe('Southwind');
  expect((await api.getSpace({ id: space.id })).data.name).toBe('Southwind');
  expect(await api.deleteSpace({ id: space.id })).toBeUndefined();
  expect((await api.listSpaces()).data).toEqual([]);
  const me = await api.getMe();
  expect(JSON.stringify(me)).toContain(tenant.accountId);
  const { data: events } = await api.listEvents({ types: 'space.created,space.deleted' });
  expect(events.map(({ type }) => type)).toEqual(['space.created', 'space.deleted']);
  expect((await api.getEvent({ id: events[0]?.id ?? '' })).data).toEqual(events[0]);
});

test('a webhook endpoint is made, looked at, changed, rotated and deleted', async () => {
  const { api } = await createClient();
  const url = 'https://receiver.example/';
  const { data: made } = await api.createWebhookEndpoint({ url, event_types: ['space.created'] });
  expect(made.secret).toMatch(/^whsec_/);
  expect((await api.listWebhookEndpoints()).data.map(({ id }) => id)).toEqual([made.id]);
  await api.updateWebhookEndpoint({ id: made.id, enabled: false });
  expect((await api.getWebhookEndpoint({ id: made.id })).data.status).toBe('paused');
  expect(await failure(api.testWebhookEndpoint({ id: made.id }))).toMatchObject({
    code: 'WEBHOOK_ENDPOINT_PAUSED',
  });
  const { data: rotated } = await api.rotateWebhookEndpointSecret({ id: made.id });
  expect(rotated.secret).not.toBe(made.secret);
  expect(await api.deleteWebhookEndpoint({ id: made.id })).toBeUndefined();
  expect(await failure(api.getWebhookDelivery({ id: uuid }))).toMatchObject({ status: 404 });
});

test('an error has its code, its status and the id of the request', async () => {
  const { api } = await createClient();
  const error = await failure(api.getTestimonial({ id: uuid }));
  expect(error).toBeInstanceOf(TestimonialsError);
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({
    name: 'TestimonialsError',
    code: 'TESTIMONIAL_NOT_FOUND',
    status: 404,
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    retryAfterSeconds: undefined,
    message: 'There is no testimonial with this id. (404 TESTIMONIAL_NOT_FOUND)',
  });
});

test('what a key may not do is not tried again', async () => {
  const { tenant } = await createClient();
  const apiKey = await createKey(tenant.accountId, ['read']);
  const { api, sent } = await createClient({ apiKey });
  expect(await failure(api.createSpace({ name: 'A space' }))).toMatchObject({
    code: 'INSUFFICIENT_SCOPE',
    status: 403,
  });
  expect(sent).toHaveLength(1);
});

test('the details of an error are kept', async () => {
  const { api } = await createClient({ apiKey: ' ' });
  expect(await failure(api.getMe())).toMatchObject({
    code: 'INVALID_API_KEY',
    requestId: expect.any(String),
  });
  const refused = await createClient();
  const body = '{"error":{"code":"OF_LATER","message":"Later.","details":{"a":1}}}';
  refused.faults.push(answer(400, {}, body));
  expect(await failure(refused.api.getMe())).toMatchObject({ code: 'OF_LATER', details: { a: 1 } });
});

test('an answer comes with its request’s id, its headers and the rate limit', async () => {
  const { api, faults } = await createClient({ maxAttempts: 1 });
  expect(api.rateLimit).toBeUndefined();
  const { body, response, requestId, rateLimit, isReplayed, attempts } = await api
    .listSpaces()
    .withResponse();
  expect([body.data, response.status, isReplayed, attempts]).toEqual([[], 200, false, 1]);
  expect(requestId).toBe(response.headers.get('x-request-id'));
  expect(rateLimit).toEqual({
    limit: Number(response.headers.get('x-ratelimit-limit')),
    remaining: Number(response.headers.get('x-ratelimit-remaining')),
    resetAt: new Date(Number(response.headers.get('x-ratelimit-reset'))),
  });
  expect(api.rateLimit).toEqual(rateLimit);
  await failure(api.getSpace({ id: uuid }));
  const remaining = Number(rateLimit?.remaining) - 1;
  expect(api.rateLimit?.remaining).toBe(remaining);
  // Something in between knows of none, which takes nothing of what is known.
  faults.push(answer(502));
  await failure(api.listSpaces());
  expect(api.rateLimit?.remaining).toBe(remaining);
});

test('a call can be caught and ended like any promise', async () => {
  const { api } = await createClient();
  const ended: string[] = [];
  const caught = api
    .getSpace({ id: uuid })
    .finally(() => ended.push('ended'))
    .catch((error: TestimonialsError) => error.code);
  expect([await caught, ended]).toEqual(['SPACE_NOT_FOUND', ['ended']]);
  const instead = await api.getSpace({ id: uuid }).catch(() => 'instead');
  expect(instead).toBe('instead');
});

test('every POST and PATCH has an idempotency key of its own, and no other request has one', async () => {
  const { api, tenant, sent } = await createClient();
  const space = await tenant.space();
  await api.createSpace({ name: 'One' });
  await api.updateSpace({ id: space.id, name: 'Two' });
  await api.updateTestimonialBatch({ testimonial_ids: [uuid], status: 'approved' });
  await api.getSpace({ id: space.id });
  await api.deleteSpace({ id: space.id });
  const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
  expect(keys.map((key) => key?.length)).toEqual([36, 36, 36, undefined, undefined]);
  expect(new Set(keys).size).toBe(4);
});

test('a key of one’s own makes a call once, also from another process', async () => {
  const { api, tenant } = await createClient();
  const space = await tenant.space();
  const body = { ...minimalTestimonial(space.id), type: 'text' as const };
  const idempotencyKey = randomUUID();
  const first = await api.createTestimonial(body, { idempotencyKey }).withResponse();
  const { api: restarted } = await createClient({ apiKey: tenant.api.key });
  const second = await restarted.createTestimonial(body, { idempotencyKey }).withResponse();
  expect(second.body).toEqual(first.body);
  expect([first.isReplayed, second.isReplayed]).toEqual([false, true]);
  const other = failure(api.createSpace({ name: 'Other' }, { idempotencyKey }));
  expect(await other).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED', status: 422 });
});

test('a key among the headers of a call counts as its own, and one of all calls as none', async () => {
  const headers = { 'Idempotency-Key': randomUUID() };
  const { api, sent } = await createClient();
  const [first, again] = [
    await api.createSpace({ name: 'Once' }, { headers }),
    await api.createSpace({ name: 'Once' }, { headers }),
  ];
  expect(again).toEqual(first);
  expect(sent.map((request) => request.headers.get('idempotency-key'))).toEqual([
    headers['Idempotency-Key'],
    headers['Idempotency-Key'],
  ]);
  const { api: careless } = await createClient({ headers });
  const [one, other] = [
    await careless.createSpace({ name: 'One' }),
    await careless.createSpace({ name: 'Other' }),
  ];
  expect(one.data.id).not.toBe(other.data.id);
});

test('headers of the client and of the call go along, and never in place of its own', async () => {
  const { api, sent, tenant } = await createClient({
    headers: { Prefer: 'handling=strict', authorization: 'none', baggage: 'of=all' },
  });
  const { response } = await api
    .listSpaces({}, { headers: { traceparent: '00-1', Baggage: 'of=this' } })
    .withResponse();
  expect(response.headers.get('preference-applied')).toBe('handling=strict');
  expect(sent[0]?.headers.get('traceparent')).toBe('00-1');
  expect(sent[0]?.headers.get('baggage')).toBe('of=this');
  expect(sent[0]?.headers.get('authorization')).toBe(`Bearer ${tenant.api.key}`);
});

test.each(['', '.', '..', undefined])(
  'an id that would lead to another path is not sent: %p',
  async (id) => {
    const { api, sent } = await createClient();
    expect(await failure(api.deleteSpace({ id: id as string }))).toEqual(
      new TypeError('id is missing.'),
    );
    expect(sent).toEqual([]);
  },
);

test('an id is escaped', async () => {
  const { api, sent } = await createClient();
  await failure(api.getSpace({ id: 'a/b?c' }));
  expect(sent[0]?.url.pathname).toBe('/api/v1/spaces/a%2Fb%3Fc');
});

test.each(['/', '//'])('%s behind the address changes nothing', async (slashes) => {
  const { sent, api } = await createClient({ baseUrl: `${await nodeFront()}/api/v1${slashes}` });
  await api.getMe();
  expect(sent[0]?.url.pathname).toBe('/api/v1/me');
});

test.each([
  ['without a key', { apiKey: '' }, 'apiKey is missing.'],
  ['without an address', { baseUrl: '/api/v1' }, 'Invalid URL'],
  [
    'with a password in its address',
    { baseUrl: 'https://me:word@localhost/api/v1' },
    'baseUrl must be without user and password.',
  ],
  [
    'with a user in its address',
    { baseUrl: 'https://me@localhost/api/v1' },
    'baseUrl must be without user and password.',
  ],
  ['without a scheme', { baseUrl: 'localhost:3000/api/v1' }, 'baseUrl must begin with https://'],
])('there is no client %s', async (_, options, message) => {
  await expect(createClient(options)).rejects.toThrow(message);
});

test('a redirect is not followed: neither a write nor the key goes elsewhere', async () => {
  let asked = 0;
  const server = createServer((_, response) => {
    asked += 1;
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  const { api } = await createClient({ baseUrl: `http://127.0.0.1:${await serve(server)}/api/v1` });
  expect(await failure(api.createSpace({ name: 'A' }))).toMatchObject({
    code: 'UNEXPECTED_RESPONSE',
    status: 307,
  });
  expect(asked).toBe(1);
});

test.each([
  ['a page', 200, {}, '<html>'],
  ['nothing', 200, {}, null],
  ['JSON that is no object', 200, {}, 'null'],
  ['another word', 200, {}, '"ok"'],
  ['a gateway’s page', 404, {}, '<html>'],
  ['a redirect', 302, { location: 'https://example.com/' }, null],
  ['JSON of another form', 403, {}, '{"error":"no"}'],
  ['JSON that is nothing', 403, {}, 'null'],
  ['an error that is nothing', 403, {}, '{"error":null}'],
  ['an error whose code is a number', 403, {}, '{"error":{"code":403,"message":"No."}}'],
  ['an error whose message is a number', 403, {}, '{"error":{"code":"FORBIDDEN","message":1}}'],
])('%s in place of an answer is an error of its own', async (_, status, headers, body) => {
  const { api, faults, sent } = await createClient();
  faults.push(answer(status, headers, body));
  expect(await failure(api.getMe())).toMatchObject({ code: 'UNEXPECTED_RESPONSE', status });
  expect(sent).toHaveLength(1);
});

test('what stands in the path is sent nowhere else, and a body says that it is JSON', async () => {
  const { api, sent } = await createClient();
  const { data: space } = await api.createSpace({ name: 'Northwind' });
  await api.updateSpace({ id: space.id, name: 'Southwind' });
  await api.deleteSpace({ id: space.id });
  const told = sent.map(({ url, headers, body }) => [
    url.search,
    headers.get('content-type'),
    body,
  ]);
  expect(told).toEqual([
    ['', 'application/json', { name: 'Northwind' }],
    ['', 'application/json', { name: 'Southwind' }],
    ['', null, undefined],
  ]);
});

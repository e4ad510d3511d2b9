import { randomUUID } from 'node:crypto';
import { database } from '@/src/database/client';
import { provideEnv } from '@/src/env';
import { createTenant, minimalTestimonial } from '../helpers/accounts';
import { type Answer, send } from '../helpers/client';
import { createCaller, namedKey, requestId, rowOf, rowsOf, withRequestLog } from './log';

withRequestLog();

test('every request of a key is logged: what, when, how it went, how long, by which key', async () => {
  const { accountId, keyId, api } = await createCaller();
  const before = Date.now();
  const answer = await api.post('/spaces', { name: 'A space' });
  const space = answer.body.data.id;
  await api.get(`/spaces/${space}`);
  expect(await rowOf(accountId, answer)).toEqual({
    id: requestId(answer),
    user_id: accountId,
    key_id: keyId,
    method: 'POST',
    route: '/spaces',
    path: '/spaces',
    status: 201,
    code: null,
    count: 1,
    duration_ms: expect.any(Number),
    detail: null,
  });
  const [stored] = await database().$queryRaw<{ received_at: Date; duration_ms: number }[]>`
    SELECT received_at, duration_ms FROM request_log WHERE user_id = ${accountId}::uuid
    ORDER BY received_at LIMIT 1`;
  expect(stored?.received_at.getTime()).toBeGreaterThanOrEqual(before);
  expect(stored?.received_at.getTime()).toBeLessThanOrEqual(Date.now());
  expect(stored?.duration_ms).toBeGreaterThan(0);
  expect((await rowsOf(accountId)).map(({ route, path }) => [route, path])).toEqual([
    ['/spaces', '/spaces'],
    ['/spaces/{id}', `/spaces/${space}`],
  ]);
});

test('also an answer that was kept, one that the client has, and one to HEAD', async () => {
  const { accountId, key, api } = await createCaller();
  const first = await api.get('/spaces');
  const kept = await api.get('/spaces');
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
  const unchanged = await send('GET', '/spaces', { key, headers });
  const head = await send('HEAD', '/spaces', { key });
  expect(unchanged.status).toBe(304);
  for (const answer of [first, kept, unchanged, head]) {
    expect(await rowOf(accountId, answer)).toMatchObject({ status: answer.status, detail: null });
  }
});

test('also one to no path of ours, with a method that is not offered, and without the scope', async () => {
  const { accountId, api } = await createCaller();
  const { key } = await namedKey(accountId, 'Reader', ['read']);
  const unknown = await api.get('/testimonial/ada@example.com');
  const method = await send('PUT', '/spaces', { key });
  const scope = await send('POST', '/spaces', { key, json: { name: 'A space' } });
  expect(await rowOf(accountId, unknown)).toMatchObject({
    route: null,
    path: '/testimonial/…',
    code: 'INVALID_ENDPOINT',
  });
  expect(await rowOf(accountId, method)).toMatchObject({ method: 'PUT', status: 405 });
  expect(await rowOf(accountId, scope)).toMatchObject({
    code: 'INSUFFICIENT_SCOPE',
    detail: { message: expect.stringContaining('"write"') },
  });
});

test('a key that is switched off, has expired or is on the free plan belongs to its account all the same', async () => {
  const { accountId, keyId, key } = await createCaller();
  const refusals: Answer[] = [];
  const refuse = async (change: () => Promise<unknown>) => {
    await change();
    refusals.push(await send('GET', '/spaces', { key }));
  };
  const where = { id: keyId };
  await refuse(() => database().apiKey.update({ where, data: { enabled: false } }));
  await refuse(() =>
    database().apiKey.update({ where, data: { enabled: true, expiresAt: new Date(0) } }),
  );
  await database().apiKey.update({ where, data: { expiresAt: null } });
  await refuse(() => database().user.update({ where: { id: accountId }, data: { plan: 'free' } }));
  const rows = await rowsOf(accountId);
  expect(rows.map(({ id, code, status, key_id }) => [id, code, status, key_id])).toEqual([
    [requestId(refusals[0] as Answer), 'API_KEY_DISABLED', 403, keyId],
    [requestId(refusals[1] as Answer), 'API_KEY_EXPIRED', 403, keyId],
    [requestId(refusals[2] as Answer), 'API_KEY_DISABLED', 403, keyId],
  ]);
});

test('one without a key that we know is nobody’s, and is logged nowhere', async () => {
  const answers = [
    await send('GET', '/spaces'),
    await send('GET', '/spaces', { key: 'junk' }),
    await send('GET', '/spaces', { key: `sk_live_${'d'.repeat(64)}` }),
    await send('OPTIONS', '/spaces'),
    await send('GET', '/openapi.json'),
  ];
  const [found] = await database().$queryRaw<{ count: number }[]>`
    SELECT count(*)::int FROM request_log WHERE id = ANY (${answers.map(requestId)}::uuid[])`;
  expect(found?.count).toBe(0);
});

describe('what was wrong', () => {
  test('is told to the field: for a VALIDATION_ERROR, whose answer names none', async () => {
    const tenant = await createTenant();
    const { id } = await tenant.space();
    const answer = await tenant.api.post('/testimonials', {
      ...minimalTestimonial(id),
      submitter_email: 'mallory-at-home',
      submitter_name: '',
      rating: '5',
      status: 'aproved',
    });
    expect(answer.body.error).toEqual({
      code: 'VALIDATION_ERROR',
      message: expect.any(String),
    });
    const { detail } = await rowOf(tenant.accountId, answer);
    expect(detail.problems).toEqual([
      { path: 'submitter_name', message: 'Expected text of 1 to 100 characters' },
      { path: 'submitter_email', message: expect.stringContaining('email') },
      { path: 'rating', message: 'Invalid input: expected number, received string' },
      { path: 'status', message: expect.stringContaining('"pending"|"approved"|"rejected"') },
    ]);
    expect(detail.body).toContainEqual({
      name: 'rating',
      type: 'text, 1 character',
      value: '5',
      is_known: true,
    });
    expect(detail.body).toContainEqual({
      name: 'status',
      type: 'text, 7 characters',
      value: null,
      is_known: true,
    });
    expect(JSON.stringify(detail)).not.toMatch(/mallory|Ada|aproved/);
  });

  test('says of characters that cannot be kept what they are, and not that there are too many', async () => {
    const { accountId, api } = await createCaller();
    const { detail } = await rowOf(accountId, await api.post('/spaces', { name: 'a\0b' }));
    const message = 'Expected text without NUL and lone surrogates';
    expect(detail.problems).toEqual([{ path: 'name', message }]);
  });

  test('says of a field that is not there that it is missing', async () => {
    const { accountId, api } = await createCaller();
    const { detail } = await rowOf(accountId, await api.post('/spaces', {}));
    expect(detail).toEqual({
      body: [],
      problems: [{ path: 'name', message: 'Missing: expected string' }],
    });
  });

  test.each<[string, Parameters<typeof send>[2], string, string]>([
    ['/testimonials?limit=5x', {}, '', 'limit is no integer'],
    ['/testimonials?rating=9', {}, 'rating', 'Too big: expected number to be <=5'],
    ['/testimonials/not-a-uuid', {}, 'id', 'Expected a UUID'],
    [
      '/testimonials?date_from=2026-02-30T00:00:00Z',
      {},
      'date_from',
      'Expected an instant in UTC, as 2026-01-15T10:30:00Z',
    ],
    [
      '/testimonials?limt=5',
      { headers: { prefer: 'handling=strict' } },
      '',
      'a query parameter is unknown',
    ],
  ])('with GET %s', async (path, options, place, message) => {
    const { accountId, key } = await createCaller();
    const answer = await send('GET', path, { key, ...options });
    expect(answer.status).toBe(400);
    expect((await rowOf(accountId, answer)).detail.problems).toEqual([{ path: place, message }]);
  });

  test.each<[string, BodyInit, string, unknown]>([
    ['a body that is no JSON', '{"mallory', 'the body is not JSON', undefined],
    ['a list', '["mallory"]', 'the body is no object', 'list of 1'],
    [
      'nothing but unknown fields',
      '{"nmae":"mallory"}',
      'Expected at least one field',
      [{ name: 'nmae', type: 'text, 7 characters', value: null, is_known: false }],
    ],
  ])('with %s', async (_name, raw, message, body) => {
    const { accountId, key } = await createCaller();
    const answer = await send('PATCH', `/spaces/${randomUUID()}`, { key, raw });
    const { detail } = await rowOf(accountId, answer);
    expect(detail).toEqual({
      problems: [{ path: '', message }],
      ...(body !== undefined && { body }),
      ...(answer.status === 500 && { message: expect.any(String) }),
    });
  });

  test('is bounded in number and size, whatever the request', async () => {
    const { accountId, api } = await createCaller();
    const questions = Array.from({ length: 100 }, () => 7);
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`field_${n}`, n]));
    const answer = await api.post('/spaces', { ...many, name: '', custom_questions: questions });
    const { detail } = await rowOf(accountId, answer);
    expect(detail.problems).toHaveLength(10);
    expect(JSON.stringify(detail).length).toBeLessThan(4100);
    const long = await api.get(`/${'a/'.repeat(3000)}?${'limit=1&'.repeat(900)}`);
    const row = await rowOf(accountId, long);
    expect(row.path?.length).toBeLessThanOrEqual(300);
    expect(row.detail.query).toHaveLength(20);
  });
});

test('of a request that succeeded the query is kept, and no body', async () => {
  const tenant = await createTenant();
  const { id } = await tenant.space();
  const list = await tenant.api.get(
    `/testimonials?space_id=${id}&status=approved&search=mallory&limit=5&cursor=start&utm_source=mallory`,
  );
  expect((await rowOf(tenant.accountId, list)).detail).toEqual({
    query: [
      { name: 'space_id', type: 'text, 36 characters', value: id, is_known: true },
      { name: 'status', type: 'text, 8 characters', value: 'approved', is_known: true },
      { name: 'search', type: 'text, 7 characters', value: null, is_known: true },
      { name: 'limit', type: 'text, 1 character', value: '5', is_known: true },
      { name: 'cursor', type: 'text, 5 characters', value: null, is_known: true },
      { name: 'utm_source', type: 'text, 7 characters', value: null, is_known: false },
    ],
  });
  const created = await tenant.api.post('/testimonials', minimalTestimonial(id));
  expect((await rowOf(tenant.accountId, created)).detail).toBeNull();
});

test('with REQUEST_LOG=off nothing is written', async () => {
  const { accountId, api } = await createCaller();
  provideEnv({ REQUEST_LOG: 'off' });
  await api.get('/spaces');
  provideEnv({ REQUEST_LOG: 'on' });
  expect(await rowsOf(accountId)).toEqual([]);
});

test('the log is not counted in what an account stores, and goes with the account', async () => {
  const { accountId, api } = await createCaller();
  await api.get('/spaces');
  expect(await rowsOf(accountId)).toHaveLength(1);
  const [counted] = await database().$queryRaw<{ kept: number; read: number }[]>`
    SELECT stored_bytes::int AS kept, stored_bytes_of(id)::int AS read FROM users
    WHERE id = ${accountId}::uuid`;
  expect(counted).toEqual({ kept: 0, read: 0 });
  await database().user.delete({ where: { id: accountId } });
  expect(await rowsOf(accountId)).toEqual([]);
});

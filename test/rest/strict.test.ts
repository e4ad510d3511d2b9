import { createKey, createTenant, type Tenant } from '../helpers/accounts';
import { type SendOptions, send } from '../helpers/client';
import { digestOfAccount } from '../helpers/digest';
import { expectError } from '../helpers/expectations';
import { sendDescribed } from './conformance';
import { operationCases } from './contract';

const prefer = { prefer: 'handling=strict' };

let tenant: Tenant;
let key: string;

beforeAll(async () => {
  tenant = await createTenant();
  key = tenant.api.key;
});

const strictly = (method: string, path: string, options: SendOptions = {}) =>
  sendDescribed(method, path, { key, ...options, headers: { ...prefer, ...options.headers } });

const withQuery = (path: string, query: string) =>
  `${path}${path.includes('?') ? '&' : '?'}${query}`;

describe.each(operationCases)('%s', (_, operation) => {
  test('answers a request of known parameters and fields as ever, and says that it was strict', async () => {
    const { path, json } = await operation.prepare(tenant);
    const { status, headers } = await strictly(operation.method, path, json ? { json } : {});
    expect([status, headers.get('preference-applied')]).toEqual([
      operation.success,
      'handling=strict',
    ]);
  });

  test('refuses an unknown query parameter, and an unknown body field, and does nothing', async () => {
    const { path, json } = await operation.prepare(tenant);
    const before = await digestOfAccount(tenant.accountId, ['api_keys']);
    const attempts: [string, SendOptions][] = [
      [withQuery(path, 'staus=rejected'), json ? { json } : {}],
    ];
    if (json) attempts.push([path, { json: { ...json, staus: 'rejected' } }]);
    if (json) attempts.push([withQuery(path, 'status=rejected'), { json }]);
    for (const [target, options] of attempts) {
      const answer = await strictly(operation.method, target, options);
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(answer.headers.get('preference-applied')).toBe('handling=strict');
    }
    expect(await digestOfAccount(tenant.accountId, ['api_keys'])).toBe(before);
  });

  test('ignores what it does not know without the preference, and says nothing of it', async () => {
    const { path, json } = await operation.prepare(tenant);
    const body = json ? { json: { ...json, staus: 'rejected' } } : {};
    for (const headers of [undefined, { prefer: 'handling=lenient' }]) {
      const { path: other } = headers ? await operation.prepare(tenant) : { path };
      const fields = headers && json ? { json: (await operation.prepare(tenant)).json } : body;
      const answer = await send(operation.method, withQuery(other, 'staus=rejected'), {
        key,
        ...fields,
        ...(headers && { headers }),
      });
      expect(answer.status).toBe(operation.success);
      expect(answer.headers.has('preference-applied')).toBe(false);
      expect(answer.headers.get('access-control-expose-headers') ?? '').not.toMatch(/preference/i);
    }
  });
});

test('an answer that is kept, or that the client has, is refused as well', async () => {
  const path = '/testimonials?staus=rejected';
  const kept = await send('GET', path, { key });
  expect(kept.status).toBe(200);
  expectError(await strictly('GET', path), 400, 'VALIDATION_ERROR');
  const tag = kept.headers.get('etag') ?? '';
  expectError(
    await strictly('GET', path, { headers: { 'if-none-match': tag } }),
    400,
    'VALIDATION_ERROR',
  );
});

test('the tag of an answer is the same, strict or not', async () => {
  const lenient = await send('GET', '/testimonials?status=approved', { key });
  const tag = lenient.headers.get('etag') ?? '';
  const known = await strictly('GET', '/testimonials?status=approved', {
    headers: { 'if-none-match': tag },
  });
  expect([known.status, known.headers.get('preference-applied')]).toEqual([304, 'handling=strict']);
});

test('the id of a path is no parameter and no field', async () => {
  const { id } = await tenant.space();
  expectError(await strictly('GET', `/spaces/${id}?id=${id}`), 400, 'VALIDATION_ERROR');
  expectError(
    await strictly('PATCH', `/spaces/${id}`, { json: { id, name: 'B' } }),
    400,
    'VALIDATION_ERROR',
  );
});

test('names that objects have of their own are unknown ones', async () => {
  for (const raw of ['{"name":"A","__proto__":{}}', '{"name":"A","constructor":1}']) {
    expectError(await strictly('POST', '/spaces', { raw }), 400, 'VALIDATION_ERROR');
  }
  // Of a function's request, Next drops this parameter before it asks the route.
  if (process.env.TEST_FRONT === 'serverless') return;
  expectError(await strictly('GET', '/spaces?__proto__=1'), 400, 'VALIDATION_ERROR');
});

test('what else is wrong is answered as ever', async () => {
  const missing = await strictly('GET', '/spaces/7f0c1a52-3c1e-4a86-9d0f-0a3d1c5b7e21');
  const noJson = await strictly('POST', '/spaces', { raw: '{' });
  expect([missing, noJson].map(({ body }) => body.error.code)).toEqual([
    'SPACE_NOT_FOUND',
    'INTERNAL_ERROR',
  ]);
});

test('key, limit and scope come first, and such an answer says nothing of the preference', async () => {
  const reader = await createKey(tenant.accountId, ['read']);
  const answers = [
    await send('GET', '/spaces?x=1', { headers: prefer }),
    await send('POST', '/spaces?x=1', { key: reader, json: {}, headers: prefer }),
    await send('GET', '/nowhere?x=1', { key, headers: prefer }),
    await send('PUT', '/spaces?x=1', { key, headers: prefer }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([401, 403, 404, 405]);
  for (const { headers } of answers) expect(headers.has('preference-applied')).toBe(false);
});

test('browsers may read that it was applied, where they may read anything', async () => {
  const open = await strictly('GET', '/spaces');
  expect(open.headers.get('access-control-expose-headers')).toMatch(/, Preference-Applied$/);
  const { id } = await tenant.space();
  const closed = await strictly('GET', `/spaces/${id}`);
  expect(closed.headers.has('access-control-expose-headers')).toBe(false);
});

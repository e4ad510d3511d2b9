import { randomUUID } from 'node:crypto';
import { maxBodyBytes } from '@/src/api/body';
import { needsRoom } from '@/src/api/trpc';
import { database } from '@/src/database/client';
import { provideEnv } from '@/src/env';
import { findRoute } from '@/src/operations';
import { countRequest } from '@/src/rate-limit/counter';
import { apiRequestLimit } from '@/src/rate-limit/limits';
import { createAccount, createKey, createTenant } from '../helpers/accounts';
import { type SendOptions, send } from '../helpers/client';
import { neededScopes, operationCases } from './contract';

const notJson = '{';
const tooLarge = ' '.repeat(maxBodyBytes + 1);
const id = randomUUID();

/** Every request below has several faults; the answer names the first by the order of checks. */
async function expectFirst(
  [method, path, options]: [string, string, SendOptions],
  status: number,
  code: string,
) {
  const answer = await send(method, path, options);
  expect([answer.status, answer.body?.error.code]).toEqual([status, code]);
  return answer;
}

async function exhaustedKey() {
  const accountId = await createAccount();
  for (let count = 0; count < apiRequestLimit().requests; count += 1) await countRequest(accountId);
  return { accountId, key: await createKey(accountId, ['read']) };
}

const readOnly = async () => createKey(await createAccount(), ['read']);
const fullKey = async () => createKey(await createAccount());

test('preflight comes before authentication', async () => {
  const answer = await send('OPTIONS', '/testimonials', { headers: { authorization: 'junk' } });
  expect(answer.status).toBe(204);
});

test('authentication comes before the path, the method and the body', async () => {
  await expectFirst(['GET', '/nowhere', {}], 401, 'UNAUTHORIZED');
  await expectFirst(['PUT', '/testimonials', { raw: notJson }], 401, 'UNAUTHORIZED');
  await expectFirst(['POST', '/spaces', { raw: notJson, key: 'junk' }], 401, 'INVALID_API_KEY');
  await expectFirst(['POST', '/spaces', { raw: tooLarge, key: 'junk' }], 401, 'INVALID_API_KEY');
  await expectFirst(['OPTIONS', '/spaces/batch', {}], 401, 'UNAUTHORIZED');
  await expectFirst(['GET', '/spaces?limit=0', {}], 401, 'UNAUTHORIZED');
});

test('of a key, switched off comes before expired, and both before the plan', async () => {
  const accountId = await createAccount();
  const key = await createKey(accountId);
  const where = { userId: accountId };
  await database().user.update({ where: { id: accountId }, data: { plan: 'free' } });
  await database().apiKey.updateMany({ where, data: { expiresAt: new Date(0) } });
  await expectFirst(['GET', '/spaces', { key }], 403, 'API_KEY_EXPIRED');
  await database().apiKey.updateMany({ where, data: { enabled: false } });
  const answer = await expectFirst(['GET', '/spaces', { key }], 403, 'API_KEY_DISABLED');
  expect(answer.body.error.message).not.toMatch(/plan/);
});

test('a refused key comes before the rate limit', async () => {
  const { accountId, key } = await exhaustedKey();
  await expectFirst(['GET', '/spaces', { key }], 429, 'RATE_LIMIT_EXCEEDED');
  const where = { userId: accountId };
  await database().apiKey.updateMany({ where, data: { enabled: false } });
  await expectFirst(['GET', '/spaces', { key }], 403, 'API_KEY_DISABLED');
});

test('the rate limit comes before path, method, scope and body', async () => {
  const { key } = await exhaustedKey();
  await expectFirst(['GET', '/nowhere', { key }], 429, 'RATE_LIMIT_EXCEEDED');
  await expectFirst(['PUT', '/testimonials', { key }], 429, 'RATE_LIMIT_EXCEEDED');
  await expectFirst(['DELETE', `/spaces/${id}`, { key }], 429, 'RATE_LIMIT_EXCEEDED');
  await expectFirst(['POST', '/spaces', { key, raw: notJson }], 429, 'RATE_LIMIT_EXCEEDED');
});

test('path and method come before the scope', async () => {
  const key = await readOnly();
  await expectFirst(['POST', '/nowhere', { key }], 404, 'INVALID_ENDPOINT');
  await expectFirst(['POST', '/testimonials/batch/other', { key }], 404, 'INVALID_ENDPOINT');
  await expectFirst(['PUT', `/testimonials/${id}`, { key }], 405, 'METHOD_NOT_ALLOWED');
});

test('the scope comes before the body and the parameters', async () => {
  const key = await readOnly();
  await expectFirst(['POST', '/spaces', { key, raw: notJson }], 403, 'INSUFFICIENT_SCOPE');
  await expectFirst(['POST', '/spaces', { key, raw: tooLarge }], 403, 'INSUFFICIENT_SCOPE');
  await expectFirst(['DELETE', '/spaces/no-uuid', { key }], 403, 'INSUFFICIENT_SCOPE');
  const writeOnly = await createKey(await createAccount(), ['write']);
  await expectFirst(['GET', '/spaces?limit=0', { key: writeOnly }], 403, 'INSUFFICIENT_SCOPE');
});

test('the size of a body comes before its form', async () => {
  const key = await fullKey();
  await expectFirst(['POST', '/spaces', { key, raw: tooLarge }], 413, 'PAYLOAD_TOO_LARGE');
});

test('JSON comes before the schema, and its being an object too', async () => {
  const key = await fullKey();
  await expectFirst(['PATCH', '/spaces/no-uuid', { key, raw: notJson }], 500, 'INTERNAL_ERROR');
  await expectFirst(['PATCH', '/spaces/no-uuid', { key, raw: '[]' }], 400, 'VALIDATION_ERROR');
});

test('the schema comes before the operation', async () => {
  const key = await fullKey();
  await expectFirst(['PATCH', `/spaces/${id}`, { key, json: {} }], 400, 'VALIDATION_ERROR');
  await expectFirst(
    ['PATCH', `/spaces/${id}`, { key, json: { name: 'A' } }],
    404,
    'SPACE_NOT_FOUND',
  );
  const testimonial = { space_id: id, type: 'text', submitter_name: 'A', submitter_email: 'no' };
  await expectFirst(['POST', '/testimonials', { key, json: testimonial }], 400, 'VALIDATION_ERROR');
  const valid = { ...testimonial, submitter_email: 'a@example.com' };
  await expectFirst(['POST', '/testimonials', { key, json: valid }], 404, 'SPACE_NOT_FOUND');
});

describe('in a full account', () => {
  afterEach(() => provideEnv({ ACCOUNT_QUOTA_BYTES: '' }));

  const writing = operationCases.filter(([, operation]) =>
    needsRoom({ ...operation, scope: [...neededScopes(operation)] }),
  );

  test.each(writing)(
    'the schema of %s comes before the room',
    async (_name, { method, prepare }) => {
      const tenant = await createTenant();
      await tenant.space();
      const { path, json } = await prepare(tenant);
      const { key } = tenant.api;
      const fields = findRoute(path)?.operations.get(method)?.fields ?? new Map();
      // An operation without a field takes any object.
      const invalid =
        fields.size === 0 ? [] : Object.fromEntries([...fields.keys()].map((name) => [name, {}]));
      provideEnv({ ACCOUNT_QUOTA_BYTES: '1' });
      await expectFirst([method, path, { key, json }], 413, 'QUOTA_EXCEEDED');
      await expectFirst([method, path, { key, json: invalid }], 400, 'VALIDATION_ERROR');
    },
  );
});

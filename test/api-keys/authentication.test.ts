import { randomBytes } from 'node:crypto';
import { digestKey } from '@/src/api-keys/key';
import { database } from '@/src/database/client';
import { createAccount, createKey, createTenant } from '../helpers/accounts';
import { type Answer, client, send } from '../helpers/client';
import { settled } from '../helpers/next-server';

const hex = () => randomBytes(32).toString('hex');

const withHeader = (authorization: string) =>
  send('GET', '/spaces', { headers: { authorization } });

function expectRefused(answer: Answer, status: number, code: string): void {
  expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  expect(answer.body.error.message).toEqual(expect.any(String));
  expect(answer.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null);
  // Nobody is known yet whose requests could be counted.
  expect(answer.headers.has('x-ratelimit-limit')).toBe(false);
}

/** Changes the one key of an account. */
async function changeKey(accountId: string, data: { enabled?: boolean; expiresAt?: Date }) {
  await database().apiKey.updateMany({ where: { userId: accountId }, data });
}

describe('the Authorization header', () => {
  test('missing: 401 UNAUTHORIZED, whose details hint at its form', async () => {
    const answer = await send('GET', '/spaces');
    expectRefused(answer, 401, 'UNAUTHORIZED');
    expect(answer.body.error.details).toEqual({ header: expect.stringContaining('Bearer') });
  });

  test.each(['', '   '])('empty (%j) counts as none', async (value) => {
    expectRefused(await withHeader(value), 401, 'UNAUTHORIZED');
  });

  test.each(['Bearer ', 'bearer ', 'BEARER ', 'Bearer   ', ''])(
    'carries the key after %j',
    async (prefix) => {
      const key = await createKey(await createAccount());
      expect((await withHeader(`${prefix}${key}`)).status).toBe(200);
    },
  );

  test.each([
    ['another prefix', `pk_live_${hex()}`],
    ['no prefix', hex()],
    ['the prefix alone', 'sk_live_'],
    ['63 digits', `sk_live_${hex().slice(1)}`],
    ['65 digits', `sk_live_${hex()}0`],
    ['upper-case digits', `sk_live_${'A'.repeat(64)}`],
    ['other letters', `sk_live_${'g'.repeat(64)}`],
    ['an upper-case prefix', `SK_LIVE_${hex()}`],
    ['a space within', `sk_live_ ${hex()}`],
    ['two keys', `sk_live_${hex()}, sk_live_${hex()}`],
    ['Basic credentials', 'Basic dXNlcjpwYXNz'],
    ['another scheme', `Token sk_live_${hex()}`],
    ['Bearer twice', `Bearer Bearer sk_live_${hex()}`],
    [
      'a JSON web token',
      'Bearer eyJhbGciOiJIUzI1NiJ9.e30.ZRrHA1JJJW8opsbCGfG_HACGpVUMN_a9IV7pAx_Zmeo',
    ],
    ['SQL', "sk_live_' OR '1'='1"],
    ['a very long one', `sk_live_${'0'.repeat(8000)}`],
  ])('malformed (%s): 401 INVALID_API_KEY', async (_name, value) => {
    expectRefused(await withHeader(value), 401, 'INVALID_API_KEY');
  });

  test.each(['sk_live_', 'sk_test_'])(
    'unknown key of the form %s…: 401 INVALID_API_KEY',
    async (prefix) => {
      expectRefused(await withHeader(`Bearer ${prefix}${hex()}`), 401, 'INVALID_API_KEY');
    },
  );

  test('a key elsewhere (query, X-Api-Key, cookie) opens nothing', async () => {
    const key = await createKey(await createAccount());
    const answer = await send('GET', `/spaces?api_key=${key}&authorization=${key}`, {
      headers: { 'x-api-key': key, cookie: `key=${key}` },
    });
    expectRefused(answer, 401, 'UNAUTHORIZED');
  });

  test('a stored key of the form sk_test_… works like the others', async () => {
    const accountId = await createAccount();
    const key = `sk_test_${hex()}`;
    await database().apiKey.create({
      data: { userId: accountId, name: 'Test', digest: digestKey(key), hint: '', scopes: ['read'] },
    });
    expect((await client(key).get('/spaces')).status).toBe(200);
  });
});

describe('a key', () => {
  test('has the form sk_live_ and 64 hex digits, and only its digest is stored', async () => {
    const accountId = await createAccount();
    const key = await createKey(accountId);
    expect(key).toMatch(/^sk_live_[0-9a-f]{64}$/);
    const stored = await database().apiKey.findFirstOrThrow({ where: { userId: accountId } });
    expect(stored.digest).toBe(digestKey(key));
    expect(JSON.stringify(stored)).not.toContain(key.slice('sk_live_'.length, -4));
  });

  test('sees every space and testimonial of its account, whichever key made them', async () => {
    const tenant = await createTenant();
    const space = await tenant.space();
    const testimonial = await tenant.testimonial(space.id);
    const other = client(await createKey(tenant.accountId, ['read']));
    expect((await other.get(`/spaces/${space.id}`)).body.data).toEqual(space);
    expect((await other.get('/testimonials')).body.data).toEqual([testimonial]);
  });

  test('switched off: 403 API_KEY_DISABLED, until it is switched on again', async () => {
    const accountId = await createAccount();
    const api = client(await createKey(accountId));
    expect((await api.get('/spaces')).status).toBe(200);
    await changeKey(accountId, { enabled: false });
    expectRefused(await api.get('/spaces'), 403, 'API_KEY_DISABLED');
    await changeKey(accountId, { enabled: true });
    expect((await api.get('/spaces')).status).toBe(200);
  });

  test('past its expiry date: 403 API_KEY_EXPIRED; before it, it works', async () => {
    const accountId = await createAccount();
    const api = client(await createKey(accountId));
    await changeKey(accountId, { expiresAt: new Date(Date.now() + 60_000) });
    expect((await api.get('/spaces')).status).toBe(200);
    await changeKey(accountId, { expiresAt: new Date(Date.now() - 1000) });
    expectRefused(await api.get('/spaces'), 403, 'API_KEY_EXPIRED');
  });

  test('of an account on the free plan: 403 API_KEY_DISABLED, and the message says why', async () => {
    const accountId = await createAccount();
    const api = client(await createKey(accountId));
    await database().user.update({ where: { id: accountId }, data: { plan: 'free' } });
    const answer = await api.get('/spaces');
    expectRefused(answer, 403, 'API_KEY_DISABLED');
    expect(answer.body.error.message).toMatch(/plan/);
  });

  test('deleted: 401 INVALID_API_KEY from the next request on', async () => {
    const accountId = await createAccount();
    const api = client(await createKey(accountId));
    expect((await api.get('/spaces')).status).toBe(200);
    await database().apiKey.deleteMany({ where: { userId: accountId } });
    expectRefused(await api.get('/spaces'), 401, 'INVALID_API_KEY');
  });
});

describe('when a key was last used', () => {
  const lastUsedAt = async (accountId: string) => {
    await settled();
    const row = await database().apiKey.findFirstOrThrow({ where: { userId: accountId } });
    return row.lastUsedAt?.getTime() ?? null;
  };

  const usedBefore = (accountId: string, seconds: number) => database().$executeRaw`
    UPDATE api_keys SET last_used_at = now() - make_interval(secs => ${seconds})
    WHERE user_id = ${accountId}::uuid`;

  test('is written after the first answer', async () => {
    const accountId = await createAccount();
    const api = client(await createKey(accountId));
    expect(await lastUsedAt(accountId)).toBeNull();
    await api.get('/spaces');
    const used = await lastUsedAt(accountId);
    expect(Math.abs((used ?? 0) - Date.now())).toBeLessThan(10_000);
  });

  test('is written at most once a minute', async () => {
    const accountId = await createAccount();
    const api = client(await createKey(accountId));
    await usedBefore(accountId, 50);
    const recent = await lastUsedAt(accountId);
    await api.get('/spaces');
    expect(await lastUsedAt(accountId)).toBe(recent);
    await usedBefore(accountId, 61);
    const longAgo = await lastUsedAt(accountId);
    await api.get('/spaces');
    expect(await lastUsedAt(accountId)).toBeGreaterThan(longAgo ?? Infinity);
  });

  test('is set right where a clock that was ahead has written it', async () => {
    const accountId = await createAccount();
    const api = client(await createKey(accountId));
    await usedBefore(accountId, -24 * 3600);
    await api.get('/spaces');
    const used = await lastUsedAt(accountId);
    expect(Math.abs((used ?? 0) - Date.now())).toBeLessThan(10_000);
  });

  test('is also written for a request that fails later, never for one that is not authenticated', async () => {
    const accountId = await createAccount();
    const api = client(await createKey(accountId, ['read']));
    await changeKey(accountId, { enabled: false });
    await api.get('/spaces');
    expect(await lastUsedAt(accountId)).toBeNull();
    await changeKey(accountId, { enabled: true });
    await api.post('/spaces', { name: 'Refused' });
    expect(await lastUsedAt(accountId)).not.toBeNull();
  });
});

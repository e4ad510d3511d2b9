import { scope } from '@/src/api/scopes';
import { createApiKey, deleteApiKey } from '@/src/api-keys/api-keys';
import { describeKey } from '@/src/api-keys/usage';
import { commandLine } from '@/src/audit/actor';
import { createAccount } from '../helpers/accounts';
import { send } from '../helpers/client';
import { sendDescribed } from '../rest/conformance';

test.each(scope.options)('a key with the scope %s alone can ask about itself', async (only) => {
  const accountId = await createAccount();
  const expires_at = new Date('2090-01-02T03:04:05.678Z');
  const created = await createApiKey(
    accountId,
    { name: 'Website', scopes: [only], expires_at },
    commandLine,
  );
  const { key } = created;
  const { status, body, headers } = await sendDescribed('GET', '/me', { key });
  expect([status, body]).toEqual([
    200,
    {
      data: {
        account_id: accountId,
        plan: 'paid',
        key: {
          name: 'Website',
          hint: `sk_live_…${key.slice(-4)}`,
          scopes: [only],
          expires_at: '2090-01-02T03:04:05.678000+00:00',
        },
        rate_limit: {
          limit: 1000,
          remaining: 999,
          reset_at: new Date(Number(headers.get('x-ratelimit-reset')))
            .toISOString()
            .replace('Z', '000+00:00'),
        },
      },
    },
  ]);
  expect(headers.get('x-ratelimit-remaining')).toBe('999');
});

test('what is left is never out of date: the answer has no tag, and counts itself', async () => {
  const { key } = await createApiKey(
    await createAccount(),
    { name: 'Forever', scopes: ['read'] },
    commandLine,
  );
  const first = await sendDescribed('GET', '/me', { key });
  const second = await sendDescribed('GET', '/me', { key });
  expect([first, second].map(({ body }) => body.data.rate_limit.remaining)).toEqual([999, 998]);
  expect(second.body.data.key.expires_at).toBeNull();
  expect([second.headers.get('etag'), second.headers.get('cache-control')]).toEqual([
    null,
    'no-store',
  ]);
});

test('before the first request of a window the whole limit is left', async () => {
  const accountId = await createAccount();
  const { id } = await createApiKey(accountId, { name: 'New', scopes: ['read'] }, commandLine);
  const { rate_limit } = await describeKey(accountId, id, 'live');
  expect(rate_limit).toEqual({ limit: 1000, remaining: 1000, reset_at: null });
});

test('without a key, with an unknown one, and with one that is gone, nothing is told', async () => {
  const accountId = await createAccount();
  const { key, id } = await createApiKey(
    accountId,
    { name: 'Gone', scopes: ['read'] },
    commandLine,
  );
  await deleteApiKey(accountId, id, commandLine);
  for (const options of [{}, { key: 'junk' }, { key }]) {
    expect((await sendDescribed('GET', '/me', options)).status).toBe(401);
  }
  await expect(describeKey(accountId, id, 'live')).rejects.toMatchObject({
    apiCode: 'INVALID_API_KEY',
  });
});

test('it is no path for browsers of other origins', async () => {
  const { key } = await createApiKey(
    await createAccount(),
    { name: 'Any', scopes: ['read'] },
    commandLine,
  );
  const { headers } = await send('GET', '/me', { key, headers: { origin: 'https://a.example' } });
  expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
});

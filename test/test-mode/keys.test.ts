import { quotaBytes } from '@/src/api/quota';
import { database } from '@/src/database/client';
import { env } from '@/src/env';
import { boundIn } from '@/src/mode';
import { countProcedure } from '@/src/rate-limit/counter';
import { dashboardLimits } from '@/src/rate-limit/limits';
import { storeUpload } from '@/src/storage/upload';
import { createKey } from '../helpers/accounts';
import { client } from '../helpers/client';
import { callTrpc } from '../helpers/session';
import { signUpInTestMode } from '../helpers/test-mode';
import { samples, temporaryFiles } from '../storage/files';

temporaryFiles();

const newKey = { name: 'Test', scopes: ['read', 'write', 'delete'] };

async function createBoth() {
  const { person, test } = await signUpInTestMode();
  const { data: ofTest } = await callTrpc('mutation', 'apiKeys.create', newKey, test.headers);
  const live = client(await createKey(person.accountId));
  return { person, test, live, ofTest, tried: client(ofTest.key) };
}

test('a key made in test mode says so, is found as others are, and only its digest is stored', async () => {
  const { test, ofTest, tried } = await createBoth();
  expect(ofTest.key).toMatch(/^sk_test_[0-9a-f]{64}$/);
  expect(ofTest.hint).toBe(`sk_test_…${ofTest.key.slice(-4)}`);
  expect((await tried.get('/spaces')).status).toBe(200);
  const rotated = await callTrpc(
    'mutation',
    'apiKeys.rotate',
    { id: ofTest.id, overlap_hours: 1 },
    test.headers,
  );
  expect(rotated.data.key).toMatch(/^sk_test_[0-9a-f]{64}$/);
  const stored = await database().apiKey.findMany({ where: { userId: test.accountId } });
  expect(JSON.stringify(stored)).not.toContain(ofTest.key.slice(8, -4));
});

test('each key sees what its own mode has, and nothing of the other', async () => {
  const { live, tried } = await createBoth();
  const spaces = {
    live: await live.post('/spaces', { name: 'L' }),
    test: await tried.post('/spaces', { name: 'T' }),
  };
  const { id: ofLive } = spaces.live.body.data;
  const { id: ofTest } = spaces.test.body.data;
  expect((await live.get('/spaces')).body.data.map(({ id }: { id: string }) => id)).toEqual([
    ofLive,
  ]);
  expect((await tried.get('/spaces')).body.data.map(({ id }: { id: string }) => id)).toEqual([
    ofTest,
  ]);
  expect((await live.get(`/spaces/${ofTest}`)).status).toBe(404);
  expect((await tried.get(`/spaces/${ofLive}`)).status).toBe(404);
  await live.delete(`/spaces/${ofTest}`);
  await tried.delete(`/spaces/${ofLive}`);
  expect((await live.get(`/spaces/${ofLive}`)).status).toBe(200);
  expect((await tried.get(`/spaces/${ofTest}`)).status).toBe(200);
  const events = (await live.get('/events')).body.data;
  expect(JSON.stringify(events)).not.toContain(ofTest);
});

test('GET /me names the mode of a test key; a live one is told what it was', async () => {
  const { test, live, tried } = await createBoth();
  expect((await tried.get('/me')).body.data).toMatchObject({
    account_id: test.accountId,
    mode: 'test',
    plan: 'paid',
  });
  expect(Object.keys((await live.get('/me')).body.data)).toEqual([
    'account_id',
    'plan',
    'key',
    'rate_limit',
  ]);
});

test('test requests have a smaller limit of their own, and take nothing of the live one', async () => {
  const { test, live, tried } = await createBoth();
  const limit = Math.ceil(env().RATE_LIMIT_REQUESTS / 4);
  const { headers } = await tried.get('/spaces');
  expect(headers.get('x-ratelimit-limit')).toBe(String(limit));
  expect(headers.get('x-ratelimit-remaining')).toBe(String(limit - 1));
  const usage = await callTrpc('query', 'apiKeys.usage', undefined, test.headers);
  expect(usage.data).toMatchObject({ limit, used: 1 });
  const volume = await callTrpc('query', 'requests.volume', {}, test.headers);
  expect(volume.data.limit).toBe(limit);
  const { rate_limit } = (await tried.get('/me')).body.data;
  expect(rate_limit).toMatchObject({ limit, remaining: limit - 2 });
  const ofLive = (await live.get('/spaces')).headers;
  expect(ofLive.get('x-ratelimit-remaining')).toBe(String(env().RATE_LIMIT_REQUESTS - 1));
});

test('test data has a smaller room of its own', async () => {
  const { person, test, live, tried } = await createBoth();
  const stored = { storedBytes: BigInt(quotaBytes('test') + 1) };
  for (const id of [person.accountId, test.accountId]) {
    await database().user.update({ where: { id }, data: stored });
  }
  expect((await tried.post('/spaces', { name: 'Full' })).body.error.code).toBe('QUOTA_EXCEEDED');
  expect((await live.post('/spaces', { name: 'Room' })).status).toBe(201);
  const upload = (accountId: string) =>
    storeUpload(accountId, 'avatar', new Blob([samples.png]).stream());
  await expect(upload(test.accountId)).rejects.toMatchObject({ apiCode: 'QUOTA_EXCEEDED' });
  await expect(upload(person.accountId)).resolves.toBeDefined();
  const created = await callTrpc('mutation', 'spaces.create', { name: 'Full' }, test.headers);
  expect(created.error?.data.code).toBe('QUOTA_EXCEEDED');
});

test('what the pages of both modes call is counted together', async () => {
  const { person, test } = await createBoth();
  const of = { sessionId: 'another session', accountId: person.accountId };
  for (let count = 0; count < dashboardLimits.account.requests; count += 1) {
    await countProcedure({ ...of, sessionId: `${count % 4}` });
  }
  const { error } = await callTrpc('query', 'spaces.list', {}, test.headers);
  expect(error?.data.code).toBe('RATE_LIMIT_EXCEEDED');
});

test('a bound in test mode is whole, and there where the live one is', () => {
  expect([1, 2, 4, 1000].map((bound) => boundIn('test', bound))).toEqual([1, 1, 1, 250]);
  expect(boundIn('live', 1000)).toBe(1000);
});

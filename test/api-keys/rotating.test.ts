import { database } from '@/src/database/client';
import { createAccount, createKey } from '../helpers/accounts';
import { callerOf } from '../helpers/caller';
import { client, send } from '../helpers/client';
import { during, onServer } from '../helpers/locks';

const dayMs = 24 * 60 * 60 * 1000;

const keysOf = (accountId: string) => callerOf(accountId).apiKeys;

/** Rotates while another process changes the key, and is done as soon as that is waited for. */
function rotateDuring(keys: ReturnType<typeof keysOf>, id: string, change: string) {
  return during([change, id], () => keys.rotate({ id, overlap_hours: 1 }));
}

const statusOf = async (key: string) => (await send('GET', '/spaces', { key })).status;

describe('rotating a key', () => {
  test('gives a new one of the same name and scopes, and the old one works on for the overlap', async () => {
    const accountId = await createAccount();
    const keys = keysOf(accountId);
    const old = await keys.create({ name: 'Website', scopes: ['read'] });
    const rotated = await keys.rotate({ id: old.id, overlap_hours: 24 });
    expect(rotated).toMatchObject({ name: 'Website', scopes: ['read'], expires_at: null });
    expect(await statusOf(old.key)).toBe(200);
    expect(await statusOf(rotated.key)).toBe(200);
    const { expires_at } = await keys.get({ id: old.id });
    const leftMs = (expires_at?.getTime() ?? 0) - Date.now();
    expect(Math.abs(leftMs - dayMs)).toBeLessThan(60_000);
  });

  test('without overlap ends the old one at once', async () => {
    const keys = keysOf(await createAccount());
    const old = await keys.create({ name: 'Website', scopes: ['read'] });
    await keys.rotate({ id: old.id, overlap_hours: 0 });
    const refused = await send('GET', '/spaces', { key: old.key });
    expect(refused.status).toBe(403);
    expect(refused.body.error.code).toBe('API_KEY_EXPIRED');
  });

  test('never prolongs the old one, and gives the new one as long a life', async () => {
    const keys = keysOf(await createAccount());
    const expires_at = new Date(Date.now() + dayMs / 24);
    const old = await keys.create({ name: 'Website', scopes: ['read'], expires_at });
    await keys.rotate({ id: old.id, overlap_hours: 72 });
    expect((await keys.get({ id: old.id })).expires_at).toEqual(expires_at);
    const [latest] = await keys.list();
    const lifeMs = (latest?.expires_at?.getTime() ?? 0) - Date.now();
    expect(Math.abs(lifeMs - dayMs / 24)).toBeLessThan(60_000);
  });

  test('gives a life that ends with the last year at the latest', async () => {
    const keys = keysOf(await createAccount());
    const expires_at = new Date('9999-12-31T23:59:59Z');
    const { id } = await keys.create({ name: 'Website', scopes: ['read'], expires_at });
    await database().$executeRaw`
      UPDATE api_keys SET created_at = created_at - interval '3 days' WHERE id = ${id}::uuid`;
    const rotated = await keys.rotate({ id, overlap_hours: 1 });
    expect(rotated.expires_at?.getUTCFullYear()).toBe(9999);
    expect(await keys.list()).toHaveLength(2);
  });

  test('once more gives a key of the whole life, not of what the first rotation left', async () => {
    const keys = keysOf(await createAccount());
    const forGood = await keys.create({ name: 'Website', scopes: ['read'] });
    const expires_at = new Date(Date.now() + 90 * dayMs);
    const forATime = await keys.create({ name: 'Website', scopes: ['read'], expires_at });
    for (const { id } of [forGood, forATime]) await keys.rotate({ id, overlap_hours: 1 });
    expect((await keys.rotate({ id: forGood.id, overlap_hours: 1 })).expires_at).toBeNull();
    const again = await keys.rotate({ id: forATime.id, overlap_hours: 1 });
    const lifeMs = (again.expires_at?.getTime() ?? 0) - Date.now();
    expect(Math.abs(lifeMs - 90 * dayMs)).toBeLessThan(60_000);
  });

  onServer('while another rotates it gives a key of the whole life as well', async () => {
    const keys = keysOf(await createAccount());
    const { id } = await keys.create({ name: 'Website', scopes: ['read'] });
    const rotated = rotateDuring(
      keys,
      id,
      `WITH made AS (
        INSERT INTO api_keys (id, user_id, name, digest, hint, scopes)
        SELECT gen_random_uuid(), user_id, name, reverse(digest), hint, scopes
        FROM api_keys WHERE id = $1 RETURNING id
      )
      UPDATE api_keys SET replaced_by = made.id, expires_at = now() + interval '1 hour'
      FROM made WHERE api_keys.id = $1`,
    );
    expect((await rotated).expires_at).toBeNull();
    const lives = (await keys.list()).map(({ expires_at }) => expires_at);
    expect(lives).toEqual([null, null, expect.any(Date)]);
  });

  onServer('while it is deleted makes none', async () => {
    const keys = keysOf(await createAccount());
    const { id } = await keys.create({ name: 'Website', scopes: ['read'] });
    const rotated = rotateDuring(keys, id, 'DELETE FROM api_keys WHERE id = $1');
    await expect(rotated).rejects.toMatchObject({ apiCode: 'API_KEY_NOT_FOUND' });
    expect(await keys.list()).toEqual([]);
  });

  test('tells of the old one which has taken its place, until that is deleted', async () => {
    const keys = keysOf(await createAccount());
    const old = await keys.create({ name: 'Website', scopes: ['read'] });
    expect(old.replaced_by).toBeNull();
    const { id } = await keys.rotate({ id: old.id, overlap_hours: 24 });
    expect((await keys.list()).map((key) => [key.id, key.replaced_by])).toEqual([
      [id, null],
      [old.id, id],
    ]);
    await keys.delete({ id });
    expect((await keys.get({ id: old.id })).replaced_by).toBeNull();
  });

  test("is not done to another account's key, and makes none", async () => {
    const [theirs, ours] = await Promise.all([createAccount(), createAccount()]);
    const key = await keysOf(theirs).create({ name: 'Theirs', scopes: ['read'] });
    await expect(keysOf(ours).rotate({ id: key.id, overlap_hours: 0 })).rejects.toMatchObject({
      apiCode: 'API_KEY_NOT_FOUND',
    });
    expect(await statusOf(key.key)).toBe(200);
    expect(await database().apiKey.count({ where: { userId: ours } })).toBe(0);
  });

  test('is refused on the free plan', async () => {
    const accountId = await createAccount();
    const key = await keysOf(accountId).create({ name: 'Website', scopes: ['read'] });
    await database().user.update({ where: { id: accountId }, data: { plan: 'free' } });
    await expect(keysOf(accountId).rotate({ id: key.id, overlap_hours: 0 })).rejects.toMatchObject({
      apiCode: 'API_KEY_DISABLED',
    });
  });
});

describe('the usage of the current hour', () => {
  test('counts what the keys did, and nothing by being looked at', async () => {
    const accountId = await createAccount();
    const keys = keysOf(accountId);
    expect(await keys.usage()).toEqual({ limit: 1000, used: 0, reset_at: null });
    const answer = await client(await createKey(accountId)).get('/spaces');
    await keys.usage();
    const usage = await keys.usage();
    expect(usage.used).toBe(1);
    expect(String(usage.reset_at?.getTime())).toBe(answer.headers.get('x-ratelimit-reset'));
  });
});

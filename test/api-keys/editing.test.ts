import { keysPerAccount } from '@/src/api-keys/api-keys';
import { database } from '@/src/database/client';
import { createAccount } from '../helpers/accounts';
import { callerOf } from '../helpers/caller';
import { send } from '../helpers/client';

const newKeys = async () => keysOf(await createAccount());

const keysOf = (accountId: string) => callerOf(accountId).apiKeys;

const codeOf = async (key: string) => {
  const answer = await send('GET', '/spaces', { key });
  return answer.body.error?.code ?? answer.status;
};

describe('what is changed of a key', () => {
  test('holds from the next request on: its scopes', async () => {
    const keys = await newKeys();
    const { id, key } = await keys.create({ name: 'Website', scopes: ['read'] });
    expect(await codeOf(key)).toBe(200);
    expect(await keys.update({ id, scopes: ['write', 'write'] })).toMatchObject({
      scopes: ['write'],
      name: 'Website',
    });
    expect(await codeOf(key)).toBe('INSUFFICIENT_SCOPE');
    await keys.update({ id, scopes: ['read', 'delete'] });
    expect(await codeOf(key)).toBe(200);
  });

  test('holds from the next request on: its expiry, and that it has none', async () => {
    const keys = await newKeys();
    const { id, key } = await keys.create({ name: 'Website', scopes: ['read'] });
    await keys.update({ id, expires_at: new Date(Date.now() - 1000) });
    expect(await codeOf(key)).toBe('API_KEY_EXPIRED');
    await keys.update({ id, name: 'Shop' });
    expect(await codeOf(key)).toBe('API_KEY_EXPIRED');
    expect(await keys.update({ id, expires_at: null })).toMatchObject({ expires_at: null });
    expect(await codeOf(key)).toBe(200);
  });

  test('is checked as a new key is', async () => {
    const keys = await newKeys();
    const { id } = await keys.create({ name: 'Website', scopes: ['read'] });
    const expires_at = new Date('0000-01-01');
    const tooLong = { name: 'x'.repeat(101) };
    for (const changes of [{}, { scopes: [] }, tooLong, { name: '   ' }, { expires_at }]) {
      await expect(keys.update({ id, ...changes })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    }
  });
});

describe('the name of a key', () => {
  test('is kept without the white space around it', async () => {
    const keys = await newKeys();
    const { id, name } = await keys.create({ name: '  Website\u00a0', scopes: ['read'] });
    expect(name).toBe('Website');
    expect(await keys.update({ id, name: '\tShop ' })).toMatchObject({ name: 'Shop' });
  });

  test.each(['', ' ', '\t\u00a0\u3000', '\u200b', '\u202e \u202e'])(
    'is refused where nothing of it could be seen: %j',
    async (name) => {
      const keys = await newKeys();
      await expect(keys.create({ name, scopes: ['read'] })).rejects.toMatchObject({
        code: 'BAD_REQUEST',
      });
    },
  );
});

test('an account that has as many keys as it may makes and rotates none before one is deleted', async () => {
  const accountId = await createAccount();
  const keys = keysOf(accountId);
  const { id, key } = await keys.create({ name: 'Website', scopes: ['read'] });
  await database().$executeRaw`
    INSERT INTO api_keys (user_id, name, digest, hint, scopes)
    SELECT ${accountId}::uuid, 'Another', gen_random_uuid()::text, 'sk_live_…0000', '{read}'
    FROM generate_series(2, ${keysPerAccount}::int)`;
  const refused = { apiCode: 'LIMIT_EXCEEDED' };
  const another = { name: 'Too many', scopes: ['read' as const] };
  await expect(keys.create(another)).rejects.toMatchObject(refused);
  await expect(keys.rotate({ id, overlap_hours: 0 })).rejects.toMatchObject(refused);
  expect(await codeOf(key)).toBe(200);
  const listed = await keys.list();
  expect(listed).toHaveLength(keysPerAccount);
  await keys.delete({ id: listed.find((one) => one.id !== id)?.id ?? '' });
  expect(await keys.rotate({ id, overlap_hours: 0 })).toMatchObject({ name: 'Website' });
  await expect(keys.create(another)).rejects.toMatchObject(refused);
});

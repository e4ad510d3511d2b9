import { Client } from 'pg';
import { authenticateApiKey } from '@/src/api-keys/authenticate';
import { database } from '@/src/database/client';
import { createAccount, createKey } from '../helpers/accounts';

async function newKey(scopes: Parameters<typeof createKey>[1]) {
  const accountId = await createAccount();
  return { accountId, scopes, key: await createKey(accountId, scopes) };
}

describe('keys that are looked up in one turn of the event loop', () => {
  test('share one statement, and each caller gets the principal of its own key', async () => {
    const one = await newKey(['read']);
    const two = await newKey(['write', 'delete']);
    const query = jest.spyOn(Client.prototype, 'query');
    const found = await Promise.all(
      [one, two, one, two].map(({ key }) => authenticateApiKey(`Bearer ${key}`)),
    );
    expect(query).toHaveBeenCalledTimes(1);
    expect(found.map(({ principal }) => principal)).toEqual(
      [one, two, one, two].map(({ accountId, scopes }) =>
        expect.objectContaining({ accountId, scopes }),
      ),
    );
    const [first, second, third, fourth] = found.map(({ principal }) => principal.keyId);
    expect([first, second]).toEqual([third, fourth]);
    expect(first).not.toBe(second);
  });

  test('open nothing for one that is unknown or switched off, whoever else waits', async () => {
    const known = await newKey(['read']);
    const off = await newKey(['read']);
    await database().apiKey.updateMany({
      where: { userId: off.accountId },
      data: { enabled: false },
    });
    const keys = [known.key, `sk_live_${'0'.repeat(64)}`, off.key, known.key];
    const found = await Promise.allSettled(keys.map((key) => authenticateApiKey(key)));
    const { accountId } = known;
    expect(found).toEqual([
      {
        status: 'fulfilled',
        value: expect.objectContaining({ principal: expect.objectContaining({ accountId }) }),
      },
      { status: 'rejected', reason: expect.objectContaining({ apiCode: 'INVALID_API_KEY' }) },
      { status: 'rejected', reason: expect.objectContaining({ apiCode: 'API_KEY_DISABLED' }) },
      {
        status: 'fulfilled',
        value: expect.objectContaining({ principal: expect.objectContaining({ accountId }) }),
      },
    ]);
  });
});

describe('the use of a key', () => {
  const usedBefore = (accountId: string, seconds: number) => database().$executeRaw`
    UPDATE api_keys SET last_used_at = now() - make_interval(secs => ${seconds})
    WHERE user_id = ${accountId}::uuid`;

  const lastUsedAt = async (accountId: string) => {
    const [row] = await database().$queryRaw<{ at: string | null }[]>`
      SELECT last_used_at::text AS at FROM api_keys WHERE user_id = ${accountId}::uuid`;
    return row?.at;
  };

  test('is due for writing down a minute after the last one, and no sooner', async () => {
    const { accountId, key } = await newKey(['read']);
    expect((await authenticateApiKey(key)).noteUse).toBeDefined();
    await usedBefore(accountId, 50);
    expect((await authenticateApiKey(key)).noteUse).toBeUndefined();
    await usedBefore(accountId, 61);
    expect((await authenticateApiKey(key)).noteUse).toBeDefined();
  });

  test('by two requests at the same time is written once', async () => {
    const { accountId, key } = await newKey(['read']);
    for (const before of [undefined, 61]) {
      if (before) await usedBefore(accountId, before);
      const [one, two] = await Promise.all([authenticateApiKey(key), authenticateApiKey(key)]);
      await one.noteUse?.();
      const written = await lastUsedAt(accountId);
      expect(written).not.toBeNull();
      await two.noteUse?.();
      expect(await lastUsedAt(accountId)).toBe(written);
    }
  });
});

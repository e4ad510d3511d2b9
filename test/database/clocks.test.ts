import { getApiKey, rotateApiKey } from '@/src/api-keys/api-keys';
import { commandLine } from '@/src/audit/actor';
import { database } from '@/src/database/client';
import { createTenant } from '../helpers/accounts';
import { stopClockAt } from '../helpers/clock';
import { settled } from '../helpers/next-server';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

describe.each([
  ['an hour ahead of', hourMs],
  ['an hour behind', -hourMs],
])('with the clock of the service %s the clock of the database', (_how, offMs) => {
  beforeEach(() => stopClockAt(Date.now() + offMs));

  test.each([
    ['in half an hour', 0.5 * hourMs, 200],
    ['half an hour ago', -0.5 * hourMs, 403],
  ])('a key that expires %s by the database is answered as by it', async (_when, inMs, status) => {
    const { accountId, api } = await createTenant();
    await database().$executeRaw`
      UPDATE api_keys SET expires_at = now() + ${inMs}::float8 * interval '1 ms'
      WHERE user_id = ${accountId}::uuid`;
    expect((await api.get('/testimonials')).status).toBe(status);
  });

  test('a rotated key lives for as long as the one before was made for', async () => {
    const { accountId } = await createTenant();
    const [{ id = '', expires_at } = {}] = await database().$queryRaw<
      { id: string; expires_at: Date }[]
    >`
      UPDATE api_keys SET expires_at = now() + interval '7 days' WHERE user_id = ${accountId}::uuid
      RETURNING id, expires_at`;
    const rotated = await rotateApiKey(accountId, id, 1, commandLine);
    const { created_at } = await getApiKey(accountId, rotated.id);
    const lifetimeMs = Number(rotated.expires_at) - Number(created_at);
    expect(Math.abs(lifetimeMs - 7 * dayMs)).toBeLessThan(hourMs / 2);
    const old = await getApiKey(accountId, id);
    expect(Number(old.expires_at)).toBeLessThan(Number(expires_at));
    expect(Math.abs(Number(old.expires_at) - Number(created_at) - hourMs)).toBeLessThan(1_000);
  });

  test('a use is noted by the clock of the database', async () => {
    const { accountId, api } = await createTenant();
    await api.get('/testimonials');
    await settled();
    const [row] = await database().$queryRaw<object[]>`
      SELECT abs(extract(epoch FROM now() - last_used_at)) < 600 AS "isNow"
      FROM api_keys WHERE user_id = ${accountId}::uuid`;
    expect(row).toEqual({ isNow: true });
  });
});

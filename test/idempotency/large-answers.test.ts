import { randomUUID } from 'node:crypto';
import { rerunIfLarge } from '@/src/api/large-answers';
import { database } from '@/src/database/client';
import { LargeReadError } from '@/src/database/connections/large-reads';
import type { Tenant } from '../helpers/accounts';
import { send } from '../helpers/client';
import { tenantWithLargeRows, worstRowCharacters } from '../helpers/large-rows';
import { promised } from '../helpers/promised';
import { until } from '../helpers/until';
import { bytesOf, withKey } from './keyed';

function approve(tenant: Tenant, ids: string[], key: string) {
  const json = { testimonial_ids: ids, status: 'approved' };
  return send('POST', '/testimonials/batch/update', withKey(tenant, key, { json }));
}

async function keptOf({ accountId }: Tenant) {
  const [row] = await database().$queryRaw<{ count: number; longest: number }[]>`
    SELECT count(*)::int, max(length(body))::int AS longest FROM idempotency_keys
    WHERE user_id = ${accountId}::uuid`;
  return row ?? { count: 0, longest: 0 };
}

test('a large answer is kept in slices, and answered again as it was', async () => {
  const { tenant, ids } = await tenantWithLargeRows(7);
  const key = randomUUID();
  const first = await approve(tenant, ids, key);
  expect([first.status, first.body.updated]).toEqual([200, 7]);
  const kept = await keptOf(tenant);
  expect(kept.count).toBeGreaterThan(7);
  expect(kept.longest).toBeLessThan(worstRowCharacters + 2_000);
  const bytes = await bytesOf(tenant);
  expect(bytes.counted).toBe(bytes.read);
  const again = await approve(tenant, ids, key);
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
  expect(again.text === first.text).toBe(true);
  expect(await tenant.events()).toHaveLength(7);
  const otherwise = await approve(tenant, ids.slice(1), key);
  expect([otherwise.status, otherwise.body.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
});

test('it is answered again once there is room for it, and refused where too much waits', async () => {
  const { tenant, ids } = await tenantWithLargeRows(7);
  const key = randomUUID();
  const first = await approve(tenant, ids, key);
  const { promise: held, resolve: end } = promised<void>();
  let isHeld = false;
  const hold = () =>
    rerunIfLarge(tenant.accountId, async ({ isLarge }) => {
      if (!isLarge) throw new LargeReadError(1);
      isHeld = true;
      await held;
    });
  const holders = [hold()];
  // The first answer may have left some time to others.
  await until(() => isHeld);
  holders.push(...Array.from({ length: 149 }, hold));
  // One place is left in which one may wait: either of them gets it, and the other is answered.
  const both = [approve(tenant, ids, key), approve(tenant, ids, key)];
  const refused = await Promise.race(both);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
  end();
  await Promise.all(holders);
  const answered = (await Promise.all(both)).filter((answer) => answer !== refused);
  expect(answered.map(({ text }) => text === first.text)).toEqual([true]);
});

test('one whose slices have just expired is done anew, once its own time is over', async () => {
  const { tenant, ids } = await tenantWithLargeRows(7);
  const key = randomUUID();
  await approve(tenant, ids, key);
  await database().$executeRaw`
    DELETE FROM idempotency_keys WHERE user_id = ${tenant.accountId}::uuid
      AND (body LIKE '%"pagination"%' OR body LIKE '%"updated":%')`;
  const between = await approve(tenant, ids, key);
  expect([between.status, between.body.error.code]).toEqual([409, 'IDEMPOTENCY_KEY_IN_USE']);
  expect(between.headers.get('retry-after')).toBe('1');
  await database().$executeRaw`
    UPDATE idempotency_keys SET created_at = created_at - interval '25 hours'
    WHERE user_id = ${tenant.accountId}::uuid`;
  const anew = await approve(tenant, ids, key);
  expect([anew.status, anew.headers.has('idempotency-replayed')]).toEqual([200, false]);
  expect((await approve(tenant, ids, key)).text === anew.text).toBe(true);
});

test('where it cannot be kept, nothing is done', async () => {
  const { tenant, ids } = await tenantWithLargeRows(7);
  await database().$executeRawUnsafe(`
    CREATE FUNCTION refuse_slice() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE 'no room'; END $$;`);
  await database().$executeRawUnsafe(`
    CREATE TRIGGER refuse_slice BEFORE INSERT ON idempotency_keys FOR EACH ROW
    WHEN (NEW.user_id = '${tenant.accountId}' AND NEW.body LIKE '%"updated":7%')
    EXECUTE FUNCTION refuse_slice()`);
  const key = randomUUID();
  try {
    const { status, body } = await approve(tenant, ids, key);
    expect([status, body.error.code]).toEqual([500, 'INTERNAL_ERROR']);
  } finally {
    await database().$executeRawUnsafe('DROP TRIGGER refuse_slice ON idempotency_keys');
    await database().$executeRawUnsafe('DROP FUNCTION refuse_slice()');
  }
  expect(await keptOf(tenant)).toEqual({ count: 0, longest: null });
  expect(await tenant.events()).toHaveLength(0);
  expect((await approve(tenant, ids, key)).headers.has('idempotency-replayed')).toBe(false);
  expect(await tenant.events()).toHaveLength(7);
});

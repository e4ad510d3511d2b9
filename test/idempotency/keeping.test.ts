import { randomUUID } from 'node:crypto';
import { startDrain } from '@/src/background/drain';
import { database } from '@/src/database/client';
import { idempotencyTrimmingJob } from '@/src/idempotency/trimming-job';
import { createTenant, minimalTestimonial, type Tenant } from '../helpers/accounts';
import { send } from '../helpers/client';
import { statementsOf } from '../helpers/statements';
import { withOwnDatabase } from '../webhooks/own-database';

// The job takes whatever has expired, in whichever account.
withOwnDatabase();

const hour = 60 * 60 * 1000;

function createSpace({ api: { key } }: Tenant, idempotencyKey: string, name = 'A space') {
  const headers = { 'idempotency-key': idempotencyKey };
  return send('POST', '/spaces', { key, headers, json: { name } });
}

/** Makes the account's answers older. */
async function age({ accountId }: Tenant, ms: number): Promise<void> {
  await database().$executeRaw`
    UPDATE idempotency_keys
    SET created_at = created_at - make_interval(secs => ${ms / 1000}::float8)
    WHERE user_id = ${accountId}::uuid`;
}

function kept({ accountId }: Tenant): Promise<number> {
  return database().idempotencyKey.count({ where: { userId: accountId } });
}

async function bytesOf({ accountId }: Tenant) {
  const [row] = await database().$queryRaw<{ counted: bigint; read: bigint }[]>`
    SELECT stored_bytes AS counted, stored_bytes_of(id) AS read FROM users
    WHERE id = ${accountId}::uuid`;
  return { counted: Number(row?.counted), read: Number(row?.read) };
}

test('an answer is kept for 24 hours; then the key is like a new one', async () => {
  const tenant = await createTenant();
  const key = randomUUID();
  const first = await createSpace(tenant, key);
  await age(tenant, 24 * hour - 60_000);
  expect((await createSpace(tenant, key)).text).toBe(first.text);
  await age(tenant, 2 * 60_000);
  const later = await createSpace(tenant, key, 'Another');
  expect([later.status, later.headers.has('idempotency-replayed')]).toEqual([201, false]);
  expect(later.body.data.id).not.toBe(first.body.data.id);
  expect((await createSpace(tenant, key, 'Another')).text).toBe(later.text);
  expect(await kept(tenant)).toBe(1);
});

test('the job removes what has expired, of all accounts, and nothing else', async () => {
  const tenants = await Promise.all([createTenant(), createTenant()]);
  for (const tenant of tenants) await createSpace(tenant, randomUUID());
  const old = `
    INSERT INTO idempotency_keys (user_id, key_digest, request_digest, status, body, created_at)
    SELECT id, sha256((id::text || number)::bytea), '', 201, 'x',
      clock_timestamp() - interval '25 hours'
    FROM users, generate_series(1, 700) number ORDER BY number`;
  await database().$executeRawUnsafe(old);
  const drain = (ms: number) =>
    startDrain([idempotencyTrimmingJob], {
      deadlineAt: Date.now() + 60_000,
      now: new Date(Date.now() + ms),
    }).finished;
  expect(await Promise.all(tenants.map(kept))).toEqual([701, 701]);
  await drain(0);
  expect(await Promise.all(tenants.map(kept))).toEqual([1, 1]);
  await drain(25 * hour);
  expect(await Promise.all(tenants.map(kept))).toEqual([0, 0]);
  for (const tenant of tenants) {
    const { counted, read } = await bytesOf(tenant);
    expect(counted).toBe(read);
  }
});

test('a kept answer counts among what the account stores, and goes with the account', async () => {
  const tenant = await createTenant();
  const key = randomUUID();
  const { text } = await createSpace(tenant, key);
  const before = await bytesOf(tenant);
  expect(before.counted).toBe(before.read);
  await createSpace(tenant, key);
  expect(await bytesOf(tenant)).toEqual(before);
  await database().idempotencyKey.deleteMany({ where: { userId: tenant.accountId } });
  const after = await bytesOf(tenant);
  expect(after.counted).toBe(after.read);
  expect(before.counted - after.counted).toBeGreaterThan(Buffer.byteLength(text));
  await createSpace(tenant, key);
  await database().user.delete({ where: { id: tenant.accountId } });
  expect(await kept(tenant)).toBe(0);
});

test('no key, and no more than a digest of the request, is stored', async () => {
  const tenant = await createTenant();
  const key = 'ada@example.com';
  await createSpace(tenant, key);
  const rows = await database().$queryRaw<{ text: string }[]>`
    SELECT k::text FROM idempotency_keys k WHERE user_id = ${tenant.accountId}::uuid`;
  expect(rows).toHaveLength(1);
  const hex = Buffer.from(key).toString('hex');
  expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${key}|${hex}`));
});

test('a key costs two round trips more; a replay is two', async () => {
  const tenant = await createTenant();
  const json = minimalTestimonial((await tenant.space()).id);
  const textsOf = async (key?: string) => {
    const statements = await statementsOf(tenant.api.key, ['POST', '/testimonials', json], key);
    return statements.map(({ text }) => /[A-Z]+/.exec(text)?.[0]);
  };
  const key = randomUUID();
  // What begins the transaction, and looks the key up, is not among them.
  expect([await textsOf(), await textsOf(key), await textsOf(key)]).toEqual([
    ['SELECT', 'WITH'],
    ['SELECT', 'WITH', 'INSERT'],
    ['SELECT', 'ROLLBACK'],
  ]);
});

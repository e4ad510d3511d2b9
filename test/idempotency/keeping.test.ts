import { randomUUID } from 'node:crypto';
import { startDrain } from '@/src/background/drain';
import { database } from '@/src/database/client';
import { idempotencyTrimmingJob } from '@/src/idempotency/trimming-job';
import { createTenant, minimalTestimonial, type Tenant } from '../helpers/accounts';
import { send } from '../helpers/client';
import { onServer, untilSomebodyWaits, withHolder } from '../helpers/locks';
import { withOwnDatabase } from '../helpers/own-database';
import { type ApiRequest, statementsOf } from '../helpers/statements';
import { bytesOf, withKey } from './keyed';

// The job takes whatever has expired, in whichever account.
withOwnDatabase();

const hour = 60 * 60 * 1000;

const createSpace = (tenant: Tenant, key: string, name = 'A space') =>
  send('POST', '/spaces', withKey(tenant, key, { json: { name } }));

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

/** What is sent to the database for a request, by the first word of each statement. */
async function statementWords(tenant: Tenant, request: ApiRequest, key?: string) {
  const statements = await statementsOf(tenant.api.key, request, key);
  return statements.map(({ text }) => /[A-Z]+/.exec(text)?.[0]);
}

test('a key costs a create not one round trip more, and a replay is as many', async () => {
  const tenant = await createTenant();
  const json = minimalTestimonial((await tenant.space()).id);
  const key = randomUUID();
  const create = (key?: string) => statementWords(tenant, ['POST', '/testimonials', json], key);
  expect([await create(), await create(key), await create(key)]).toEqual(
    Array(3).fill(['SELECT', 'WITH']),
  );
});

test('a key costs another write two round trips more; a replay is two', async () => {
  const tenant = await createTenant();
  const key = randomUUID();
  const { id } = await tenant.testimonial((await tenant.space()).id);
  const change = (key?: string) =>
    statementWords(tenant, ['PATCH', `/testimonials/${id}`, { rating: 4 }], key);
  // What begins the transaction, and looks the key up, is not among them.
  expect([await change(), await change(key), await change(key)]).toEqual([
    ['SELECT', 'WITH'],
    ['SELECT', 'WITH', 'INSERT'],
    ['SELECT', 'ROLLBACK'],
  ]);
});

test('a create in one statement tells what it answers, byte for byte', async () => {
  const tenant = await createTenant();
  const space_id = (await tenant.space()).id;
  const strange =
    '"\\/ \b\f\n\r\t \u0001\u001f\u007f\u0085\u2028\u2029 é ∀ 👩‍👩‍👧 </script> \\u0041';
  const json = {
    ...minimalTestimonial(space_id),
    type: 'video',
    submitter_name: strange,
    submitter_company: strange,
    text_content: strange,
    video_url: 'https://example.com/a?b=%22&c=d#e',
    rating: 5,
    status: 'approved',
  };
  const options = withKey(tenant, randomUUID(), { json });
  const attempt = () => send('POST', '/testimonials', options);
  const [first, again] = [await attempt(), await attempt()];
  expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
  expect(first.body.data.text_content).toBe(strange);
  expect([first, again].map(({ headers }) => headers.has('idempotency-replayed'))).toEqual([
    false,
    true,
  ]);
});

test('the key of a create, too, is like a new one after 24 hours', async () => {
  const tenant = await createTenant();
  const json = minimalTestimonial((await tenant.space()).id);
  const options = withKey(tenant, randomUUID(), { json });
  const create = () => send('POST', '/testimonials', options);
  const first = await create();
  await age(tenant, 24 * hour - 60_000);
  expect((await create()).text).toBe(first.text);
  await age(tenant, 2 * 60_000);
  const later = await create();
  expect([later.status, later.headers.has('idempotency-replayed')]).toEqual([201, false]);
  expect(later.body.data.id).not.toBe(first.body.data.id);
  expect((await create()).text).toBe(later.text);
  expect(await kept(tenant)).toBe(1);
  const { counted, read } = await bytesOf(tenant);
  expect(counted).toBe(read);
});

test('a create whose answer has expired has one turn among the writes of its account, and ends it', async () => {
  const tenant = await createTenant();
  const json = minimalTestimonial((await tenant.space()).id);
  // One more than an account has turns.
  const keys = Array.from({ length: 5 }, () => randomUUID());
  for (const time of ['first', 'later']) {
    for (const key of keys) {
      const created = await send('POST', '/testimonials', withKey(tenant, key, { json }));
      expect([time, created.status, created.headers.has('idempotency-replayed')]).toEqual([
        time,
        201,
        false,
      ]);
    }
    await age(tenant, 25 * hour);
  }
});

onServer('where the answer has expired, the account is locked after what is changed', async () => {
  const tenant = await createTenant();
  const { id } = await tenant.testimonial((await tenant.space()).id);
  const key = randomUUID();
  const rate = (rating: number) =>
    send('PATCH', `/testimonials/${id}`, withKey(tenant, key, { json: { rating } }));
  await rate(3);
  await age(tenant, 25 * hour);
  await withHolder(async (other) => {
    await other.query('SELECT FROM testimonials WHERE id = $1 FOR UPDATE', [id]);
    const rated = rate(4);
    await untilSomebodyWaits(other);
    // Whoever has locked the row may still have the account: the other way round is a circle.
    await other.query('SELECT FROM users WHERE id = $1 FOR UPDATE NOWAIT', [tenant.accountId]);
    await other.query('COMMIT');
    const { status, body, headers: answered } = await rated;
    expect([status, body.data.rating, answered.has('idempotency-replayed')]).toEqual([
      200,
      4,
      false,
    ]);
  });
  expect((await rate(4)).headers.get('idempotency-replayed')).toBe('true');
  expect(await kept(tenant)).toBe(1);
  const { counted, read } = await bytesOf(tenant);
  expect(counted).toBe(read);
});

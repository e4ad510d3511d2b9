import { randomUUID } from 'node:crypto';
import { database, pool } from '@/src/database/client';
import { Prisma } from '@/src/database/generated/client';
import { readHeavy } from '@/src/database/read-heavy';
import { readRows } from '@/src/database/read-rows';
import { openReplicas } from '@/src/database/replicas/replicas';
import { env, provideEnv } from '@/src/env';
import { setMeter } from '@/src/metrics/meter';
import { createTenant, type Tenant } from '../helpers/accounts';
import { type FaultyPath, openFaultyPath } from '../helpers/faulty-path';
import { describeOnServer } from '../helpers/locks';
import { meterBy } from '../helpers/meter';
import { insertTestimonials } from '../helpers/rows';
import { callTrpc, signUp } from '../helpers/session';
import { statementsOf } from '../helpers/statements';
import { borrowTestDatabase, type TestDatabase } from '../helpers/test-database';
import { query } from './query';
import { forgetDatabase, openStandIn, type StandIn } from './stand-in';

/** What each row has at the replica alone, so that its answers can be told. */
const mark = 'at the replica';

describeOnServer('with a replica', () => {
  let own: TestDatabase;
  let copy: StandIn;
  let path: FaultyPath;
  let tenant: Tenant;
  let space: { id: string; user_id: string };
  let id: string;
  let outcomes: string[];

  beforeAll(async () => {
    own = await borrowTestDatabase();
    provideEnv({ DATABASE_URL: own.url, CACHE_BYTES: '0' });
  });

  beforeEach(async () => {
    provideEnv({ DATABASE_READ_URLS: '' });
    await forgetDatabase();
    tenant = await createTenant();
    space = await tenant.space();
    const texts = ['One', 'Two', 'Three'];
    const rows = texts.map((text_content, rating) => ({ text_content, rating: rating + 1 }));
    id = `${(await insertTestimonials(space, rows))[0]?.id}`;
    copy = await openStandIn(own.url);
    await copy.write(
      `UPDATE testimonials SET submitter_company = '${mark}'; UPDATE spaces SET description = '${mark}'`,
    );
    path = await openFaultyPath(copy.url);
    const url = new URL(path.url);
    // No answer that comes is late, however slow the machine is.
    url.searchParams.set('socket_timeout', '50');
    provideEnv({ DATABASE_READ_URLS: url.href });
    await forgetDatabase();
    countOutcomes();
    await untilUsed();
  });

  afterEach(async () => {
    setMeter(undefined);
    await forgetDatabase();
    await path.close();
    await copy.close();
  });

  afterAll(() => own?.close());

  function countOutcomes(): void {
    outcomes = [];
    meterBy({ replicaAsked: (outcome) => outcomes.push(outcome) });
  }

  /** It is connected to beside the first requests. */
  async function untilUsed(): Promise<void> {
    const isUsed = async () => (await tenant.api.get(`/spaces/${space.id}`)).text.includes(mark);
    while (!(await isUsed()));
    outcomes = [];
  }

  const reads = () => [
    '/testimonials',
    '/testimonials?limit=1&offset=1&sort_by=rating',
    '/testimonials?status=pending&rating=2',
    '/testimonials?search=thr',
    '/testimonials?date_from=2026-01-01T00:00:00Z&sort_by=updated_at',
    `/testimonials?include=transcription&space_id=${space.id}`,
    `/testimonials/${id}`,
    '/spaces',
    `/spaces/${space.id}`,
  ];

  test('it answers what a key reads as the primary would, in one statement', async () => {
    const answers: [string, unknown][] = [];
    for (const read of reads()) {
      const { status, body } = await tenant.api.get(read);
      expect(status).toBe(200);
      answers.push([read, body]);
      expect(JSON.stringify(body)).toContain(mark);
      const [lookup, ...others] = await statementsOf(tenant.api.key, ['GET', read]);
      expect(lookup?.text).toContain('FROM api_keys');
      expect(others).toHaveLength(1);
    }
    expect(new Set(outcomes)).toEqual(new Set(['answered']));
    provideEnv({ DATABASE_READ_URLS: '' });
    await forgetDatabase();
    const unmarked = (body: unknown) =>
      JSON.parse(JSON.stringify(body).replaceAll(`"${mark}"`, 'null'));
    for (const [read, body] of answers) {
      expect((await tenant.api.get(read)).body).toEqual(unmarked(body));
    }
  });

  test('what is not there is not there', async () => {
    expect((await tenant.api.get(`/testimonials/${randomUUID()}`)).status).toBe(404);
    expect((await tenant.api.get(`/spaces/${randomUUID()}`)).status).toBe(404);
    const { body } = await tenant.api.get('/testimonials?search=nowhere');
    expect([body.data, body.pagination.total]).toEqual([[], 0]);
    expect(outcomes).toEqual(['answered', 'answered', 'answered']);
  });

  test('what is too large at once is read by it all the same', async () => {
    const long = `UPDATE testimonials SET text_content = repeat('x', 600000) WHERE id = '${id}'`;
    await copy.write(long);
    const { body } = await tenant.api.get(`/testimonials/${id}`);
    expect(body.data.text_content).toHaveLength(600_000);
    expect(outcomes).toEqual(['answered']);
  });

  test('a change is read at once, from the primary until the replica has it', async () => {
    await tenant.api.patch(`/testimonials/${id}`, { status: 'approved' });
    for (const read of reads()) expect((await tenant.api.get(read)).text).not.toContain(mark);
    const { body } = await tenant.api.get('/testimonials?status=approved');
    expect(body.data).toMatchObject([{ id, status: 'approved' }]);
    expect(new Set(outcomes)).toEqual(new Set(['behind']));
    const { version } = await database().user.findUniqueOrThrow({
      where: { id: tenant.accountId },
    });
    await copy.write(
      `UPDATE testimonials SET status = 'approved' WHERE id = '${id}';
       UPDATE users SET version = '${version}' WHERE id = '${tenant.accountId}'`,
    );
    expect((await tenant.api.get(`/testimonials/${id}`)).body.data).toMatchObject({
      status: 'approved',
      submitter_company: mark,
    });
  });

  test('a change of one account leaves the reads of another to it', async () => {
    const other = await createTenant();
    await other.space();
    expect((await tenant.api.get('/spaces')).text).toContain(mark);
    expect((await other.api.get('/spaces')).body.pagination.total).toBe(1);
    expect(outcomes).toEqual(['answered', 'behind']);
  });

  test('one that knows more than the primary told is not believed either', async () => {
    await copy.write(`UPDATE users SET version = gen_random_uuid()`);
    for (const read of reads()) {
      const { status, text } = await tenant.api.get(read);
      expect([read, status, text.includes(mark)]).toEqual([read, 200, false]);
    }
  });

  test('a heavy statement ends there before the connection does, and no later than at the primary', async () => {
    const { accountId } = tenant;
    const { version } = await database().user.findUniqueOrThrow({ where: { id: accountId } });
    const limit = Prisma.sql`SELECT current_setting('statement_timeout') AS limit`;
    const of = { accountId, version };
    expect(await readHeavy(limit, { of })).toEqual([{ limit: '20s' }]);
    expect(await readHeavy(limit, { of, timeoutMs: 60_000 })).toEqual([{ limit: '40s' }]);
    expect(outcomes).toEqual(['answered', 'answered']);
  });

  test('it keeps no statement by a name where a pooler is before it, whatever is before the primary', async () => {
    const [url] = env().DATABASE_READ_URLS ?? [];
    provideEnv({ DATABASE_READ_URLS: `${url}&pgbouncer=true` });
    await forgetDatabase();
    await untilUsed();
    const { accountId } = tenant;
    const { version } = await database().user.findUniqueOrThrow({ where: { id: accountId } });
    const named = Prisma.sql`SELECT count(*)::int AS named FROM pg_prepared_statements`;
    expect(await readRows(named, { of: { accountId, version } })).toEqual([{ named: 0 }]);
    expect(outcomes).toEqual(['answered']);
  });

  test('the pages are answered by the primary', async () => {
    const { cookie } = await signUp();
    expect((await callTrpc('query', 'spaces.list', {}, { cookie })).status).toBe(200);
    expect(outcomes).toEqual([]);
  });

  test('once it is gone, the primary answers', async () => {
    path.withdraw();
    for (const read of reads()) {
      const { status, text } = await tenant.api.get(read);
      expect([status, text.includes(mark)]).toEqual([200, false]);
    }
    expect(new Set(outcomes)).toEqual(new Set(['failed']));
  });

  test('those that it was answering as it went are answered', async () => {
    const answering = Array.from({ length: 30 }, () => tenant.api.get('/testimonials'));
    path.cut();
    const answers = await Promise.all(answering);
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200));
    expect(answers.map(({ body }) => body.pagination.total)).toEqual(Array(30).fill(3));
  });

  test('one that lacks a table of ours costs no error', async () => {
    await query(copy.url, 'DROP TABLE testimonial_counts');
    expect((await tenant.api.get('/testimonials?status=pending')).body.pagination.total).toBe(3);
    expect(outcomes).toEqual(['failed']);
  });
});

test('every read that a lost replica misses counts as failed', async () => {
  const counted: string[] = [];
  meterBy({ replicaAsked: (outcome) => counted.push(outcome) });
  const replicas = openReplicas(['postgresql://127.0.0.1:1/none'], {
    max: 1,
    primary: pool,
    now: () => 0,
  });
  const of = { accountId: randomUUID(), version: randomUUID() };
  const read = () => replicas.read(Prisma.sql`SELECT 1`, of, async () => [{ n: 1 }]);
  await read();
  await read();
  // Waits until it is left out.
  await replicas.close();
  await read();
  setMeter(undefined);
  expect(counted).toEqual(['failed', 'failed', 'failed']);
});

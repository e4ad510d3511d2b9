import { Client } from 'pg';
import { database } from '@/src/database/client';
import { Connection } from '@/src/database/connections/connection';
import { idleTimeoutMs, openConnections, tellLost } from '@/src/database/connections/pool';
import { Prisma } from '@/src/database/generated/client';
import { answerHealth } from '@/src/database/health';
import { readHeavy } from '@/src/database/read-heavy';
import { directWriter } from '@/src/database/writer';
import { env, provideEnv } from '@/src/env';
import { answerOnce } from '@/src/idempotency/answer-once';
import { log } from '@/src/logging/log';
import { createTenant, type Tenant } from '../helpers/accounts';
import { type FaultyPath, openFaultyPath } from '../helpers/faulty-path';
import { onServer } from '../helpers/locks';

// No answer is known to be in time on a slow machine, so nothing here waits for the silence of a
// connection that works: only what was swallowed is ever silent for as long.
const silenceSeconds = 4;
const ownName = `lost-connections-${process.pid}`;

let direct: string;
let path: FaultyPath;
let tenant: Tenant;
let spaceId: string;

beforeAll(async () => {
  direct = env().DATABASE_URL ?? '';
  path = await openFaultyPath(direct);
  const url = new URL(path.url);
  url.searchParams.set('socket_timeout', String(silenceSeconds));
  // Other test files have connections to this server as well, which are not to be ended.
  if (process.env.TEST_DATABASE_URL) url.searchParams.set('application_name', ownName);
  provideEnv({ DATABASE_URL: url.href, CACHE_BYTES: '0' });
  tenant = await createTenant();
  spaceId = (await tenant.space()).id;
});

afterAll(() => path.close());

/** Opens all connections that the pool may have, and leaves them at rest. */
async function fillPool(): Promise<void> {
  await Promise.all(
    Array.from({ length: env().DATABASE_POOL_SIZE }, () => database().$queryRaw`SELECT 1`),
  );
}

const list = () => tenant.api.get(`/testimonials?space_id=${spaceId}`);

test('a connection that nobody has begun is not waited for', () => {
  const { connection } = new Connection({ connectionString: direct });
  expect(connection.stream).not.toHaveProperty('timeout', expect.anything());
});

describe('packets swallowed on open connections', () => {
  test('a list is answered all the same, over another connection', async () => {
    await fillPool();
    path.swallow();
    expect((await list()).status).toBe(200);
  });

  test('what a search reads is answered as well', async () => {
    await fillPool();
    path.swallow();
    expect(await readHeavy(Prisma.sql`SELECT 1 AS n`)).toEqual([{ n: 1 }]);
  });

  test('what Prisma reads is answered as well', async () => {
    await fillPool();
    path.swallow();
    expect(await database().user.findMany({ where: { id: tenant.accountId } })).toHaveLength(1);
  });

  test('one that was found dead takes the others at rest with it', async () => {
    await fillPool();
    path.swallow();
    await list();
    const before = path.connections();
    const answers = await Promise.all(Array.from({ length: 20 }, list));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(path.connections() - before).toBeLessThanOrEqual(env().DATABASE_POOL_SIZE);
  });

  test('a write fails and is not repeated, and the next one is done', async () => {
    const [space, other] = [await tenant.space(), await tenant.space()];
    // One that answers with rows is no read either.
    const markAnswered = () => database().$queryRaw`
      WITH marked AS (UPDATE spaces SET name = name || '+' WHERE id = ${other.id}::uuid RETURNING id)
      SELECT id FROM marked`;
    await fillPool();
    path.swallow();
    const outcomes = await Promise.allSettled([mark(space.id), markAnswered()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect([await markOf(space.id), await markOf(other.id)]).toEqual(['A space', 'A space']);
    await mark(space.id);
    expect(await markOf(space.id)).toBe('A space+');
  });

  test('a transaction fails, and its connection is not used again', async () => {
    const space = await tenant.space();
    const steps = database().$transaction(async (tx) => {
      await tx.$executeRaw`SELECT 1`;
      path.swallow();
      await tx.$executeRaw`UPDATE spaces SET name = 'Never' WHERE id = ${space.id}::uuid`;
    });
    await expect(steps).rejects.toThrow();
    await mark(space.id);
    expect(await markOf(space.id)).toBe('A space+');
  });

  test('while new connections are swallowed too, requests fail; afterwards they do not', async () => {
    await fillPool();
    path.sever();
    const [during, health] = await Promise.all([list(), answerHealth()]);
    expect(during.status).toBe(500);
    expect(health.status).toBe(503);
    path.mend();
    const answers = await Promise.all([list(), list(), answerHealth()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});

test('a statement that takes longer has to say so', async () => {
  // The database itself is not kept busy: the embedded one would compute all the while, for everybody.
  const late = await openFaultyPath(direct);
  const url = new URL(late.url);
  url.searchParams.set('socket_timeout', '1');
  const { pool, longTransaction } = openConnections(url.href, 1);
  const { rowCount } = await longTransaction(async (client) => {
    // Longer than the server is asked whether it waits for a lock, which is told as late.
    late.delay(4_000);
    const answer = await client.query('SELECT 1');
    late.delay(0);
    return answer;
  });
  expect(rowCount).toBe(1);
  late.swallow();
  await expect(pool.query('SELECT 1')).rejects.toThrow('said nothing for 1000 ms');
  await pool.end();
  await late.close();
});

// The embedded database ends a transaction of which it hears nothing before that.
onServer('a search of which the server says nothing is not asked for once more', async () => {
  const textOf = jest.fn(() => {
    path.swallow();
    return 'SELECT 1';
  });
  const query = Object.defineProperty(Prisma.sql`SELECT 1`, 'text', { get: textOf });
  await expect(readHeavy(query, { timeoutMs: 100 })).rejects.toThrow('said nothing');
  expect(textOf).toHaveBeenCalledTimes(1);
});

onServer('a search is waited for until the server ends it, longer than for others', async () => {
  const timeoutMs = silenceSeconds * 1000 + 2_000;
  const sleep = Prisma.sql`SELECT pg_sleep(60)`;
  await expect(readHeavy(sleep, { timeoutMs })).rejects.toMatchObject({ code: '57014' });
});

test('how long a server has been silent is counted anew once it has said something', async () => {
  const told: number[] = [];
  const client = new Connection({
    connectionString: direct,
    isWaiting: async ({ silentMs }) => told.push(silentMs) > 0,
  });
  await client.connect();
  await client.isWaiting(1000);
  await client.isWaiting(1000);
  await client.query('SELECT 1');
  await client.isWaiting(1000);
  await client.end();
  expect(told).toEqual([1000, 2000, 1000]);
});

test('whatever a connection was given, at rest it has what it may rest, and then what all have', async () => {
  const url = new URL(direct);
  url.searchParams.set('socket_timeout', '1');
  const { pool, longTransaction } = openConnections(url.href, 1);
  const { connection } = await longTransaction(async (client) => client);
  expect(connection.stream).toHaveProperty('timeout', idleTimeoutMs + 1000);
  const next = await pool.connect();
  expect(next.connection.stream).toBe(connection.stream);
  expect(connection.stream).toHaveProperty('timeout', 1000);
  next.release();
  await pool.end();
});

test('the server ends a transaction of several statements that has lost its service', async () => {
  const { pool, longTransaction } = openConnections(direct, 1);
  const bound = `SELECT current_setting('idle_in_transaction_session_timeout') AS bound`;
  const { rows } = await longTransaction((client) => client.query(bound));
  expect(rows).toEqual([{ bound: '30s' }]);
  await pool.end();
  const statement = Prisma.sql([bound]);
  expect(await directWriter.writeInOrder([statement, statement])).toEqual([{ bound: '30s' }]);
  const facts = { method: 'POST', path: '/testimonials', body: {} };
  const keyed = { accountId: tenant.accountId, key: 'a', facts, success: 201, isSecret: false };
  const { body } = await answerOnce(keyed, async ({ write }) =>
    JSON.stringify(await write(statement)),
  );
  expect(body).toBe('[{"bound":"30s"}]');
});

test('a long transaction that fails leaves nothing, and the connection is not used again', async () => {
  const { pool, longTransaction } = openConnections(direct, 1);
  const failing = longTransaction(async (client) => {
    await client.query('CREATE TABLE left_behind (a int)');
    await client.query('SELECT 1 / 0');
  });
  await expect(failing).rejects.toThrow('division by zero');
  const { rows } = await pool.query(`SELECT to_regclass('left_behind') AS name`);
  expect(rows).toEqual([{ name: null }]);
  await pool.end();
});

test('where one was cut, those at work are used no more once they rest', async () => {
  const { pool, repeatable } = openConnections(path.url, 1);
  const working = await pool.connect();
  const before = path.connections();
  const cut = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  const read = jest.fn(async () => 'read').mockRejectedValueOnce(cut);
  expect(await repeatable(read)).toBe('read');
  await working.query('SELECT 1');
  working.release();
  await pool.query('SELECT 1');
  expect(path.connections() - before).toBe(1);
  await pool.end();
});

test('many that are lost at once are one line a second, with how many there were', () => {
  jest.useFakeTimers({ now: 0 });
  const warn = jest.spyOn(log(), 'warn').mockImplementation(() => {});
  const err = new Error('read ECONNRESET');
  const what = 'lost in a test';
  for (let lost = 0; lost < 3; lost += 1) tellLost(err, what);
  jest.advanceTimersByTime(1_000);
  tellLost(err, what);
  expect(warn.mock.calls).toEqual([
    [{ err }, what],
    [{ err, times: 3 }, what],
  ]);
});

test('a connection that takes no writes is not used again: its server may be the primary no more', async () => {
  const { pool } = openConnections(path.url, 1);
  const before = path.connections();
  const refused = pool.query('BEGIN READ ONLY; CREATE TABLE never_made (a int)');
  await expect(refused).rejects.toMatchObject({ code: '25006' });
  await pool.query('SELECT 1');
  expect(path.connections() - before).toBe(2);
  await pool.end();
});

describe('connections that are cut', () => {
  test('at rest: the next reads are answered', async () => {
    await fillPool();
    path.cut();
    const answers = await Promise.all(Array.from({ length: 10 }, list));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  });

  test('at work: reads are answered, and a write is done once or not at all', async () => {
    const space = await tenant.space();
    await fillPool();
    const reads = Array.from({ length: 10 }, list);
    const writes = Array.from({ length: 5 }, () => mark(space.id));
    path.cut();
    const answers = await Promise.all(reads);
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const outcomes = await Promise.allSettled(writes);
    const done = outcomes.filter(({ status }) => status === 'fulfilled').length;
    const marks = (await markOf(space.id)).length - 'A space'.length;
    expect(marks).toBeGreaterThanOrEqual(done);
    expect(marks).toBeLessThanOrEqual(outcomes.length);
  });

  onServer('by the server: reads are answered', async () => {
    const admin = new Client({ connectionString: direct });
    await admin.connect();
    await fillPool();
    const reads = Array.from({ length: 50 }, list);
    const { rows } = await admin.query(
      `SELECT count(pg_terminate_backend(pid))::int AS killed FROM pg_stat_activity
       WHERE application_name = $1`,
      [ownName],
    );
    await admin.end();
    expect(rows[0].killed).toBeGreaterThan(0);
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual(Array(50).fill(200));
  });
});

/** Adds a plus to the space's name. */
function mark(id: string): Promise<number> {
  return database().$executeRaw`UPDATE spaces SET name = name || '+' WHERE id = ${id}::uuid`;
}

async function markOf(id: string): Promise<string> {
  const { body } = await tenant.api.get(`/spaces/${id}`);
  return body.data.name;
}

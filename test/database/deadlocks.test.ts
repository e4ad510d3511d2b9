import { randomUUID } from 'node:crypto';
import { TRPCError } from '@trpc/server';
import { Client, DatabaseError } from 'pg';
import { inWriteTurn } from '@/src/api/write-turns';
import { database, longStatement, pool, transaction } from '@/src/database/client';
import { againAfterDeadlock } from '@/src/database/connections/deadlocks';
import { Prisma } from '@/src/database/generated/client';
import type { OnceStatement, Writer } from '@/src/database/writer';
import { env } from '@/src/env';
import { answerOnce } from '@/src/idempotency/answer-once';
import { createAccount } from '../helpers/accounts';
import { onServer, untilSomebodyWaits } from '../helpers/locks';
import { withOwnDatabase } from '../helpers/own-database';
import { query } from './query';

const opened: Client[] = [];

// Before the database is emptied, which would wait for their locks.
afterEach(async () => {
  await Promise.all(opened.splice(0).map((client) => client.end()));
});

withOwnDatabase();

/** Another process in a transaction that has locked the row of an account. */
async function holding(account: string | undefined) {
  const client = new Client({ connectionString: env().DATABASE_URL });
  opened.push(client);
  await client.connect();
  // It never looks for the circle itself: the service does, and is ended.
  await client.query(`SET deadlock_timeout = '10min'`);
  await client.query('BEGIN');
  const lock = (id: string | undefined) =>
    client.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [id]);
  await lock(account);
  return { client, lock, end: () => client.query('COMMIT') };
}

/** Resolves once somebody waits for what the session with this process id has locked. */
async function untilBlockedBy(processId: number | undefined, looker: Client): Promise<void> {
  for (let rows: unknown[] = []; rows.length === 0; ) {
    ({ rows } = await looker.query(
      'SELECT FROM pg_locks WHERE NOT granted AND $1 = ANY (pg_blocking_pids(pid))',
      [processId],
    ));
  }
}

const renamed = Prisma.sql`
  WITH locked AS MATERIALIZED (SELECT id FROM users ORDER BY id FOR UPDATE)
  UPDATE users SET name = name || ' again' FROM locked WHERE users.id = locked.id
  RETURNING users.name`;
const { text, values } = renamed;

/** The same, for who brings a key. */
const renamedOnce: OnceStatement = {
  expressions: (condition) => Prisma.sql`
    locked AS MATERIALIZED (SELECT id FROM users WHERE true ${condition} ORDER BY id FOR UPDATE),
    renamed AS (
      UPDATE users SET name = name || ' again' FROM locked WHERE users.id = locked.id
      RETURNING users.name
    )`,
  columns: Prisma.sql`renamed.name`,
  from: 'renamed',
  answer: { text: `'{}'`, from: '(SELECT count(*) FROM renamed) done' },
};

/** Runs it under a key of its own. */
const withKey = (accountId: string, run: (writer: Writer) => Promise<string>) => {
  const facts = { method: 'PATCH', path: '/', body: {} };
  return answerOnce({ accountId, key: randomUUID(), facts, success: 200, isSecret: false }, run);
};

/** The accounts of which something follows the commit. */
const followed: string[] = [];

onServer.each<[string, (accountId: string) => Promise<{ name: string }[]>]>([
  ['a statement', async () => (await pool().query<{ name: string }>(text, values)).rows],
  // Prisma begins with what it promises once somebody waits for it.
  ['a statement through Prisma', async () => await database().$queryRaw(renamed)],
  ['a long statement', () => longStatement(renamed)],
  [
    'a transaction',
    () => transaction(async (client) => (await client.query<{ name: string }>(text, values)).rows),
  ],
  [
    'a statement with a key',
    async (accountId) => {
      let rows: { name: string }[] = [];
      await withKey(accountId, async (writer) => {
        rows = await writer.writeOnce<{ name: string }>(renamedOnce);
        return '{}';
      });
      return rows;
    },
  ],
  [
    'a transaction with a key',
    async (accountId) => {
      let rows: { name: string }[] = [];
      await withKey(accountId, async (writer) => {
        // As a procedure throws it.
        rows = await writer.write<{ name: string }>(renamed).catch((cause: unknown) => {
          throw new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause });
        });
        await writer.afterCommit(async () => void followed.push(accountId));
        return '{}';
      });
      expect(followed.splice(0)).toEqual([accountId]);
      return rows;
    },
  ],
])('%s that is ended for a circle is done once, as soon as it can be', async (_, run) => {
  const accounts = await Promise.all([1, 2, 3].map(() => createAccount()));
  const [first = '', second, third] = accounts.sort();
  const [gate, other] = [await holding(second), await holding(third)];
  const done = run(first);
  // It has the first row, and waits for the second.
  const [waiting] = await untilSomebodyWaits(gate.client);
  const locked = other.lock(first);
  await untilBlockedBy(waiting, gate.client);
  // Now it waits for the third, whose holder waits for the first.
  await gate.end();
  await locked;
  await other.end();
  expect((await done).map(({ name }) => name)).toEqual(accounts.map(() => 'Test again'));
  const users = await database().user.findMany({ select: { name: true } });
  expect(users.map(({ name }) => name)).toEqual(accounts.map(() => 'Test again'));
});

/** What Postgres tells the one of a circle that it ends. */
function deadlock(): DatabaseError {
  const error = new DatabaseError('deadlock detected', 0, 'error');
  error.code = '40P01';
  return error;
}

test('before it is done again, whoever it made way for is given the time to go on', async () => {
  const startedAt: number[] = [];
  await againAfterDeadlock(async () => {
    startedAt.push(performance.now());
    if (startedAt.length < 3) throw deadlock();
  });
  const [first = 0, second = 0, third = 0] = startedAt;
  // Timers may be a millisecond early.
  expect(second - first).toBeGreaterThanOrEqual(99);
  expect(third - second).toBeGreaterThanOrEqual(99);
});

test('what is to follow the commit follows it once, of a request that is run again', async () => {
  const runs: number[] = [];
  await withKey(await createAccount(), async (writer) => {
    const run = runs.push(0);
    await writer.write(Prisma.sql`SELECT 1`);
    await writer.afterCommit(async () => void followed.push(`${run}`));
    if (run === 1) throw deadlock();
    return '{}';
  });
  expect(followed.splice(0)).toEqual(['2']);
});

const inCircles: OnceStatement = {
  expressions: (condition) => Prisma.sql`
    tried AS (SELECT meets_others() AS nobody WHERE true ${condition})`,
  columns: Prisma.sql`tried.nobody`,
  from: 'tried',
  answer: { text: `'{}'`, from: '(SELECT count(*) FROM tried) done' },
};

test.each<[string, (writer: Writer) => Promise<unknown>]>([
  ['one statement', (writer) => writer.writeOnce(inCircles)],
  ['several', (writer) => writer.write(Prisma.sql`SELECT meets_others()`)],
])('what carries a key and goes on meeting others is tried three times: %s', async (_, write) => {
  const url = env().DATABASE_URL ?? '';
  // What a sequence has counted is not undone.
  await query(
    url,
    `CREATE SEQUENCE met;
     CREATE FUNCTION meets_others() RETURNS int LANGUAGE plpgsql AS $$ BEGIN
       PERFORM nextval('met');
       RAISE SQLSTATE '40P01';
     END $$`,
  );
  const kept = withKey(await createAccount(), async (writer) => {
    await write(writer);
    return '{}';
  });
  await expect(kept).rejects.toMatchObject({ apiCode: 'OVERLOADED', retryAfterSeconds: 5 });
  const [count] = await query(url, 'SELECT last_value::int AS tries FROM met');
  await query(url, 'DROP FUNCTION meets_others; DROP SEQUENCE met');
  expect(count).toEqual({ tries: 3 });
});

test('a write that goes on meeting others in a circle is answered 503, to be tried again', async () => {
  const write = inWriteTurn(randomUUID(), () =>
    againAfterDeadlock(() => Promise.reject(deadlock())),
  );
  await expect(write).rejects.toMatchObject({ apiCode: 'OVERLOADED', retryAfterSeconds: 5 });
});

import { startDrain } from '@/src/background/drain';
import { database, disconnect } from '@/src/database/client';
import { env, provideEnv } from '@/src/env';
import { log } from '@/src/logging/log';
import { requestLogDaysJob } from '@/src/requests/days';
import type { Entry } from '@/src/requests/entry';
import { writeEntries } from '@/src/requests/write-entries';
import { createAccount } from '../helpers/accounts';
import { onServer, withHolder } from '../helpers/locks';
import { withOwnDatabase } from '../helpers/own-database';
import { insertRows, reader, rowsOf } from './log';

withOwnDatabase();

const dayMs = 24 * 60 * 60 * 1000;

async function days(): Promise<string[]> {
  const rows = await database().$queryRaw<{ name: string }[]>`
    SELECT relname::text AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = 'request_log'::regclass ORDER BY 1`;
  return rows.map(({ name }) => name.replace('request_log_', ''));
}

// A test has a year of its own, or another one; what is ahead of it was made by one that came before.
beforeEach(async () => {
  for (const day of await days())
    await database().$executeRawUnsafe(`DROP TABLE request_log_${day}`);
});

const runAt = (now: Date) =>
  startDrain([requestLogDaysJob], { deadlineAt: Date.now() + 60_000, now }).finished;

const entry = (accountId: string, receivedAt: Date): Entry => ({
  id: crypto.randomUUID(),
  accountId,
  receivedAt: receivedAt.getTime(),
  status: 200,
  count: 1,
});

test('an hourly job makes the days ahead and drops those that are over, by the day in UTC', async () => {
  await runAt(new Date('2027-03-10T23:59:59Z'));
  expect(await days()).toEqual(
    expect.arrayContaining(['20270303', '20270310', '20270311', '20270312', '20270313']),
  );
  expect(await days()).not.toContain('20270314');
  expect((await days())[0]).toBe('20270303');
  await runAt(new Date('2027-03-11T00:00:00Z'));
  expect((await days())[0]).toBe('20270304');
  expect((await days()).at(-1)).toBe('20270314');
});

test('by several processes at once it is done once, and none of them fails', async () => {
  // Ten times, each with all of the days to drop: Postgres fails only where two come close together.
  for (let month = 4; month < 14; month += 1) {
    const now = new Date(Date.UTC(2027, month, 15));
    const drains = await Promise.all([runAt(now), runAt(now), runAt(now)]);
    expect(drains.map(({ hasFailed }) => hasFailed)).toEqual([false, false, false]);
    expect(await days()).toHaveLength(11);
  }
});

onServer(
  'a day that somebody reads for long is dropped another time, and not waited for',
  async () => {
    const now = new Date('2028-03-10T12:00:00Z');
    await runAt(new Date(now.getTime() - 2 * dayMs));
    await withHolder(async (reading) => {
      await reading.query('SELECT FROM request_log_20280301');
      const error = jest.spyOn(log(), 'error');
      expect(await runAt(now)).toMatchObject({ hasFailed: false });
      expect(error).not.toHaveBeenCalled();
      error.mockRestore();
      expect(await days()).toContain('20280301');
      // One that nobody reads goes all the same.
      expect(await days()).not.toContain('20280302');
    });
    await runAt(new Date(now.getTime() + dayMs / 12));
    expect((await days())[0]).toBe('20280303');
  },
);

test('what is dropped leaves nothing, and takes nothing of the days that are kept', async () => {
  const accountId = await createAccount();
  const now = new Date();
  await writeEntries([
    entry(accountId, new Date(now.getTime() - 6.5 * dayMs)),
    entry(accountId, now),
  ]);
  await runAt(now);
  expect(await rowsOf(accountId)).toHaveLength(2);
  await runAt(new Date(now.getTime() + 3 * dayMs));
  expect(await rowsOf(accountId)).toHaveLength(1);
});

test('counts of what has no row of its own are kept as they are', async () => {
  const accountId = await createAccount();
  await writeEntries([{ ...entry(accountId, new Date()), status: 429, count: 5_000 }]);
  const { data } = await reader(accountId).list({});
  expect(data).toEqual([
    expect.objectContaining({
      status: 429,
      count: 5_000,
      method: null,
      path: null,
      key_name: null,
    }),
  ]);
});

test('a row whose day nobody has made is written all the same', async () => {
  await runAt(new Date('2031-01-01T00:00:00Z'));
  const accountId = await createAccount();
  await writeEntries([entry(accountId, new Date())]);
  expect(await rowsOf(accountId)).toHaveLength(1);
});

test('written again, as after an answer of the database that never came, a row is there once', async () => {
  const accountId = await createAccount();
  const entries = [entry(accountId, new Date()), entry(accountId, new Date())];
  await writeEntries(entries);
  await writeEntries(entries);
  expect(await rowsOf(accountId)).toHaveLength(2);
});

test('a clock that is years off still writes into a day that there is', async () => {
  const accountId = await createAccount();
  await writeEntries([
    entry(accountId, new Date('1970-01-01T00:00:00Z')),
    entry(accountId, new Date('2099-01-01T00:00:00Z')),
  ]);
  expect(await rowsOf(accountId)).toHaveLength(2);
});

test('rows that the database refuses keep no other back, and are told once a minute', async () => {
  const accountId = await createAccount();
  const good = [entry(accountId, new Date()), entry(accountId, new Date())];
  const bad: Entry = { ...entry(accountId, new Date()), status: 100_000 };
  const told = jest.spyOn(log(), 'error').mockImplementation(() => {});
  await writeEntries([
    ...good.slice(0, 1),
    bad,
    ...good.slice(1),
    { ...bad, id: crypto.randomUUID() },
  ]);
  expect(told.mock.calls).toEqual([
    [expect.objectContaining({ requestId: bad.id, times: 1 }), 'a request could not be logged'],
  ]);
  expect((await rowsOf(accountId)).map(({ id }) => id).sort()).toEqual(
    good.map(({ id }) => id).sort(),
  );
});

test('where the database is away no entry is taken for one that it refuses', async () => {
  const accountId = await createAccount();
  const { DATABASE_URL = '' } = env();
  const failed = jest.spyOn(log(), 'error');
  await disconnect();
  provideEnv({ DATABASE_URL: 'postgresql://someone@127.0.0.1:9/none' });
  try {
    const entries = [entry(accountId, new Date()), entry(accountId, new Date())];
    await expect(writeEntries(entries)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  } finally {
    await disconnect();
    provideEnv({ DATABASE_URL });
  }
  expect(failed.mock.calls).toEqual([]);
});

/** Has the database refuse rows of a status, with this code of an error. */
async function refuseRows(status: number, code: string): Promise<() => Promise<void>> {
  await database().$executeRawUnsafe(`
    CREATE FUNCTION refuse_row() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE 'refused' USING ERRCODE = '${code}'; END $$`);
  await database().$executeRawUnsafe(`
    CREATE TRIGGER refuse_row BEFORE INSERT ON request_log FOR EACH ROW
    WHEN (NEW.status = ${status}) EXECUTE FUNCTION refuse_row()`);
  return async () => {
    await database().$executeRawUnsafe('DROP FUNCTION refuse_row CASCADE');
  };
}

test.each([
  ['is left out, and the others are written, where it breaks a constraint', '23502', [200]],
  ['waits with the others where the database is stopping', '57P01', []],
  ['waits with the others where the database is starting', '57P03', []],
  ['waits with the others where the disk is full', '53100', []],
])('a row that cannot be written %s', async (_, code, written) => {
  const accountId = await createAccount();
  const entries = [200, 299].map((status) => ({ ...entry(accountId, new Date()), status }));
  const stop = await refuseRows(299, code);
  try {
    const writing = writeEntries(entries);
    if (written.length > 0) await writing;
    else await expect(writing).rejects.toMatchObject({ code });
  } finally {
    await stop();
  }
  expect((await rowsOf(accountId)).map(({ status }) => status)).toEqual(written);
});

test('what is older than 7 days is shown to nobody, though its day is not over', async () => {
  const accountId = await createAccount();
  const oldest = Date.now() - 7 * dayMs;
  const [kept] = await insertRows(accountId, [
    { receivedAt: new Date(oldest + 60_000) },
    { receivedAt: new Date(oldest - 60_000) },
  ]);
  expect((await reader(accountId).list({})).data.map(({ id }) => id)).toEqual([kept]);
});

test('entries that are written once more, since nobody knows whether they were, are there once', async () => {
  const accountId = await createAccount();
  const entries = [entry(accountId, new Date()), entry(accountId, new Date())];
  const failed = jest.spyOn(log(), 'error');
  await writeEntries(entries);
  await writeEntries([...entries, entry(accountId, new Date())]);
  expect(await rowsOf(accountId)).toHaveLength(3);
  expect(failed.mock.calls).toEqual([]);
});

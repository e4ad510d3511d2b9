import { database } from '@/src/database/client';
import { env } from '@/src/env';
import { type ScriptProcess, startScript } from '../database/processes';
import { createAccount } from '../helpers/accounts';
import { client } from '../helpers/client';
import { withOwnDatabase } from '../helpers/own-database';
import { namedKey, rowsOf, withRequestLog } from './log';

// The days of the log are the whole database's.
withOwnDatabase();
withRequestLog();

const scripts: ScriptProcess[] = [];

afterEach(async () => {
  await Promise.all(scripts.splice(0).map((script) => script.kill()));
});

async function startProcesses(count: number) {
  const { DATABASE_URL = '', SECRET_KEY = '' } = env();
  const started = Array.from({ length: count }, () =>
    startScript('../requests/logging-process.ts', DATABASE_URL, SECRET_KEY),
  );
  scripts.push(...started);
  return Promise.all(
    started.map(async (script) => {
      const port = await script.nextLine();
      return { script, url: `http://127.0.0.1:${port}/api/v1` };
    }),
  );
}

async function dropDays() {
  const days = await database().$queryRaw<{ name: string }[]>`
    SELECT inhrelid::regclass::text AS name FROM pg_inherits
    WHERE inhparent = 'request_log'::regclass`;
  for (const { name } of days) await database().$executeRawUnsafe(`DROP TABLE ${name}`);
}

test('a process that is told to stop has written every request that it answered, and two make the days at once', async () => {
  await dropDays();
  const accountId = await createAccount();
  const { key } = await namedKey(accountId);
  const processes = await startProcesses(2);
  const answered: string[] = [];
  await Promise.all(
    processes.flatMap(({ url }) =>
      Array.from({ length: 30 }, async (_, index) => {
        const answer = await fetch(`${url}/spaces?limit=${index + 1}`, {
          headers: { authorization: key, connection: 'close' },
        });
        await answer.arrayBuffer();
        answered.push(answer.headers.get('x-request-id') ?? '');
      }),
    ),
  );
  for (const { script } of processes) process.kill(script.pid, 'SIGTERM');
  for (const { script } of processes) expect(await script.nextLine()).toBe('stopped');
  expect((await rowsOf(accountId)).map(({ id }) => id).sort()).toEqual(answered.sort());
  expect(answered).toHaveLength(60);
});

test('where the log cannot be written, requests are answered, and it is written once it can be', async () => {
  const accountId = await createAccount();
  const { key } = await namedKey(accountId);
  const api = client(key);
  await database().$executeRaw`ALTER TABLE request_log RENAME TO away`;
  const answers = [];
  for (let count = 0; count < 3; count += 1) answers.push(await api.get('/spaces'));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  await database().$executeRaw`ALTER TABLE away RENAME TO request_log`;
  await api.get('/spaces');
  expect(await rowsOf(accountId)).toHaveLength(4);
});

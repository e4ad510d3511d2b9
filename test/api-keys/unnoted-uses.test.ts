import { disconnect, pool } from '@/src/database/client';
import { env, provideEnv } from '@/src/env';
import { log } from '@/src/logging/log';
import { createAccount, createKey } from '../helpers/accounts';
import { client } from '../helpers/client';
import { describeOnServer } from '../helpers/locks';
import { settled } from '../helpers/next-server';
import { withOwnDatabase } from '../helpers/own-database';

/** For as long as `task` takes, the service has a database that takes no writes. */
async function withReadOnly(task: () => Promise<void>): Promise<void> {
  const { DATABASE_URL = '' } = env();
  const url = new URL(DATABASE_URL);
  url.searchParams.set('options', '-c default_transaction_read_only=on');
  await disconnect();
  provideEnv({ DATABASE_URL: url.href });
  try {
    await task();
  } finally {
    await disconnect();
    provideEnv({ DATABASE_URL });
  }
}

describeOnServer('a database that takes no writes', () => {
  withOwnDatabase();

  test('costs reads neither a connection nor a line of the log each, for the uses of their keys', async () => {
    const accountId = await createAccount();
    const api = client(await createKey(accountId));
    const lines = [jest.spyOn(log(), 'error'), jest.spyOn(log(), 'warn')];
    let connections = 0;
    // However long the requests take, they are not far apart.
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    await withReadOnly(async () => {
      pool().on('connect', () => {
        connections += 1;
      });
      for (let count = 0; count < 20; count += 1) {
        expect((await api.get('/spaces')).status).toBe(200);
        await settled();
      }
    });
    clock.mockRestore();
    const told = lines.flatMap(({ mock }) => mock.calls.map(([, line]) => line));
    for (const line of lines) line.mockRestore();
    expect(told.filter((line) => line !== 'the request log cannot be written')).toEqual([
      'the use of a key could not be noted',
    ]);
    // What was given up for the one write is replaced, and one is for the log of requests.
    expect(connections).toBeLessThan(10);
  });
});

import { PrismaPg } from '@prisma/adapter-pg';
import { database, disconnect } from '@/src/database/client';
import { openDatabase, prepareClient } from '@/src/database/open';
import { env, provideEnv } from '@/src/env';
import { returnLeases } from '@/src/webhooks/sending/leases';
import { onServer } from '../helpers/locks';
import { withFullServer } from './query';

afterAll(disconnect);

test('whoever has opened the database waits no more for the client to begin', async () => {
  const connect = jest.spyOn(PrismaPg.prototype, 'connect');
  const close = await openDatabase({ shared: false, say: () => {} });
  expect(connect).toHaveBeenCalledTimes(1);
  await returnLeases({ all: false });
  expect(await database().user.count()).toBeGreaterThanOrEqual(0);
  expect(connect).toHaveBeenCalledTimes(1);
  await close();
});

onServer('a server that takes no writes is opened where nothing is to be migrated', async () => {
  const { DATABASE_URL = '' } = env();
  const readOnly = new URL(DATABASE_URL);
  readOnly.searchParams.set('options', '-c default_transaction_read_only=on');
  await disconnect();
  try {
    provideEnv({ DATABASE_URL: readOnly.href });
    const close = await openDatabase({ shared: false, say: () => {} });
    expect(await database().user.count()).toBeGreaterThanOrEqual(0);
    await expect(database().user.deleteMany({ where: { email: 'nobody' } })).rejects.toThrow();
    await close();
  } finally {
    await disconnect();
    provideEnv({ DATABASE_URL });
  }
});

onServer('a worker that a full server refuses says so, and what is to be mended', async () => {
  const { DATABASE_URL = '' } = env();
  await disconnect();
  await withFullServer(DATABASE_URL, async (full) => {
    try {
      provideEnv({ DATABASE_URL: full });
      await expect(prepareClient()).rejects.toThrow(
        /^The database \S+ cannot be used: too many connections for role "full_\w+"\. .*CONNECTION LIMIT/,
      );
    } finally {
      await disconnect();
      provideEnv({ DATABASE_URL });
    }
  });
});

import { PrismaPg } from '@prisma/adapter-pg';
import { database, disconnect } from '@/src/database/client';
import { openDatabase, prepareClient } from '@/src/database/open';
import { env, provideEnv } from '@/src/env';
import { returnLeases } from '@/src/webhooks/leases';
import { onServer } from '../helpers/locks';
import { query } from './query';

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
  const role = `full_${process.pid}_${Date.now()}`;
  const full = new URL(DATABASE_URL);
  full.username = role;
  full.password = role;
  await query(DATABASE_URL, `CREATE ROLE ${role} LOGIN PASSWORD '${role}' CONNECTION LIMIT 0`);
  await disconnect();
  try {
    provideEnv({ DATABASE_URL: full.href });
    await expect(prepareClient()).rejects.toThrow(
      /^The database \S+ cannot be used: too many connections for role "full_\w+"\. .*CONNECTION LIMIT/,
    );
  } finally {
    await disconnect();
    provideEnv({ DATABASE_URL });
    await query(DATABASE_URL, `DROP ROLE ${role}`);
  }
});

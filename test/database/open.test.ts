import { PrismaPg } from '@prisma/adapter-pg';
import { database, disconnect } from '@/src/database/client';
import { openDatabase } from '@/src/database/open';
import { returnLeases } from '@/src/webhooks/leases';

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

import { database } from '@/src/database/client';
import { env } from '@/src/env';
import { startScript } from '../database/processes';
import { addPending } from './backlog';
import { withOwnDatabase } from './own-database';
import { answerWith, type Received } from './receiver';
import { drainAt, later, minuteMs, newSending } from './sending';

// An embedded database is one process's: only on a server can several drain together.
const onServer = process.env.TEST_DATABASE_URL ? test : test.skip;

withOwnDatabase();

onServer(
  'four processes drain together, one is killed: nothing is lost, nothing is sent twice at once',
  async () => {
    const endpoints = 20;
    const each = 100;
    const under = new Set<string>();
    const sent = new Map<string, number>();
    let concurrentDuplicates = 0;
    const sending = await newSending((response, { headers }: Received) => {
      const id = String(headers['webhook-id']);
      if (under.has(id)) concurrentDuplicates += 1;
      under.add(id);
      sent.set(id, (sent.get(id) ?? 0) + 1);
      setTimeout(() => {
        under.delete(id);
        answerWith(response, 200);
      }, 5);
      response.on('close', () => under.delete(id));
    });
    const tenants = await Promise.all(Array.from({ length: endpoints }, () => newSending()));
    for (const { webhooks, endpointId } of tenants) {
      await webhooks.endpoints.update({ id: endpointId, url: sending.receiver.url });
      await addPending(endpointId, each);
    }

    const { DATABASE_URL = '', SECRET_KEY = '' } = env();
    const processes = Array.from({ length: 4 }, () =>
      startScript('../webhooks/draining-process.ts', DATABASE_URL, SECRET_KEY),
    );
    try {
      await Promise.all(processes.map((one) => one.nextLine()));
      await until(() => sent.size > 400);
      await processes[0]?.kill();
      await until(async () => (await countWaiting()) === 0);
      await until(() => under.size === 0);
      await Promise.all(processes.map((one) => one.kill()));
      const orphans = await database().webhookDelivery.count({ where: { state: 'pending' } });
      // Their leases run out a minute later.
      expect(await drainAt(later(minuteMs))).toBe(orphans);
      expect(await database().webhookDelivery.count({ where: { state: 'succeeded' } })).toBe(
        endpoints * each,
      );
      expect(sent.size).toBe(endpoints * each);
      expect(concurrentDuplicates).toBe(0);
      const again = [...sent.values()].filter((times) => times > 1);
      expect(again.length).toBeLessThanOrEqual(orphans);
    } finally {
      await Promise.all(processes.map((one) => one.kill()));
    }
  },
  60_000,
);

/** What nobody has under a lease. */
function countWaiting(): Promise<number> {
  return database().webhookDelivery.count({ where: { state: 'pending', leaseToken: null } });
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((done) => setTimeout(done, 20));
}

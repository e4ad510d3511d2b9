import { database } from '@/src/database/client';
import { env } from '@/src/env';
import type { EventType } from '@/src/outbox/event-types';
import { webhookLimits } from '@/src/webhooks/limits';
import { startScript } from '../database/processes';
import { onServer } from '../helpers/locks';
import { withOwnDatabase } from '../helpers/own-database';
import { addPending } from './backlog';
import { answerWith, type Received } from './receiver';
import { newSending } from './sending';

withOwnDatabase();

onServer(
  'of four processes one is killed: the others send what it had, nothing is sent twice at once',
  async () => {
    const endpoints = 120;
    const each = 20;
    const under = new Set<string>();
    const sent = new Map<string, number>();
    let concurrentDuplicates = 0;
    // Answers wait until one of the processes is killed.
    let held: (() => void)[] | undefined = [];
    const sending = await newSending((response, { headers }: Received) => {
      const id = String(headers['webhook-id']);
      if (under.has(id)) concurrentDuplicates += 1;
      under.add(id);
      sent.set(id, (sent.get(id) ?? 0) + 1);
      const answer = () => {
        under.delete(id);
        answerWith(response, 200);
      };
      if (held) held.push(answer);
      else answer();
      response.on('close', () => under.delete(id));
    });
    const tenants = await Promise.all(Array.from({ length: endpoints / 2 }, () => newSending()));
    for (const { webhooks, endpointId } of tenants) {
      await webhooks.endpoints.update({ id: endpointId, url: sending.receiver.url });
      const event_types: EventType[] = ['testimonial.created'];
      const input = { url: sending.receiver.url, event_types };
      const { id } = await webhooks.endpoints.create(input);
      await addPending(endpointId, each);
      await addPending(id, each);
    }

    const { DATABASE_URL = '', SECRET_KEY = '' } = env();
    const processes = Array.from({ length: 4 }, () =>
      startScript('../webhooks/draining-process.ts', DATABASE_URL, SECRET_KEY),
    );
    try {
      await Promise.all(processes.map((one) => one.nextLine()));
      // More than three of them have places for, so that each has some.
      while (under.size <= 3 * webhookLimits.inFlightPerProcess) await pause(20);
      await processes[0]?.kill();
      const answers = held;
      held = undefined;
      for (const answer of answers) answer();
      while ((await succeeded()) < endpoints * each) await pause(100);
      const interrupted = await database().webhookAttempt.count({
        where: { errorClass: 'interrupted' },
      });
      expect(interrupted).toBeGreaterThan(0);
      expect(sent.size).toBe(endpoints * each);
      expect(concurrentDuplicates).toBe(0);
      // On a slow machine some are held beyond what an attempt may take: they too are sent once more.
      const timedOut = await database().webhookAttempt.count({ where: { errorClass: 'timeout' } });
      const again = [...sent.values()].filter((times) => times > 1);
      expect(again.length).toBeLessThanOrEqual(interrupted + timedOut);
    } finally {
      await Promise.all(processes.map((one) => one.kill()));
    }
  },
  180_000,
);

function succeeded(): Promise<number> {
  return database().webhookDelivery.count({ where: { state: 'succeeded' } });
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

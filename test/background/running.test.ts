import { GET as cron } from '@/app/api/cron/route';
import { drainOnDemand } from '@/src/background/drain';
import { type Loop, startLoop } from '@/src/background/loop';
import { handleDashboardRequest } from '@/src/dashboard';
import { provideEnv } from '@/src/env';
import { jobs } from '@/src/jobs';
import { setWorker } from '@/src/outbox/due';
import { settled } from '@/test/helpers/next-server';
import { addPending } from '../webhooks/backlog';
import { withOwnDatabase } from '../webhooks/own-database';
import { answerWith, type Received } from '../webhooks/receiver';
import { newSending } from '../webhooks/sending';

withOwnDatabase();

let loop: Loop | undefined;

afterEach(async () => {
  await loop?.stop({ graceMs: 0 });
  loop = undefined;
  setWorker(() => {});
  provideEnv({ CRON_SECRET: '' });
});

describe('a long-lived process', () => {
  test('sends an event within a second of its write, on an idle service', async () => {
    const { receiver, write } = await newSending();
    loop = startLoop(jobs);
    await pause(300);
    const begun = performance.now();
    await write();
    await receivedBy(receiver.received, 1);
    expect((receiver.received[0]?.at ?? Infinity) - begun).toBeLessThan(1000);
  });

  test('sleeps until the next delivery is due, and then sends it', async () => {
    const { receiver, endpointId } = await newSending();
    await addPending(endpointId, 1, new Date(Date.now() + 400));
    const begun = performance.now();
    loop = startLoop(jobs);
    await receivedBy(receiver.received, 1);
    const tookMs = (receiver.received[0]?.at ?? 0) - begun;
    expect(tookMs).toBeGreaterThan(300);
    expect(tookMs).toBeLessThan(2000);
  });

  test('finishes what it is sending when it is stopped', async () => {
    const { receiver, write, deliveries } = await newSending((response) => {
      setTimeout(() => answerWith(response, 200), 200);
    });
    loop = startLoop(jobs);
    await write();
    await receivedBy(receiver.received, 1);
    await loop.stop({ graceMs: 5000 });
    expect(await deliveries()).toMatchObject([{ state: 'succeeded', attempt_count: 1 }]);
    await write();
    expect(receiver.received).toHaveLength(1);
  });

  test('gives back what does not finish in time, as if it had not been tried', async () => {
    const { receiver, write, deliveries, endpoint } = await newSending(() => {});
    loop = startLoop(jobs);
    await write();
    await receivedBy(receiver.received, 1);
    await loop.stop({ graceMs: 20 });
    expect(await deliveries()).toMatchObject([{ state: 'pending', attempt_count: 0 }]);
    expect(await endpoint()).toMatchObject({ failure_count: 0 });
    receiver.answer = (response) => answerWith(response, 200);
    loop = startLoop(jobs);
    await receivedBy(receiver.received, 2);
  });

  test('answers its API as fast while receivers hang', async () => {
    const { tenant, receiver, endpointId } = await newSending(() => {});
    await addPending(endpointId, 20);
    loop = startLoop(jobs);
    await receivedBy(receiver.received, 5);
    const begun = performance.now();
    for (let count = 0; count < 20; count++) {
      expect((await tenant.api.get('/testimonials')).status).toBe(200);
    }
    expect(performance.now() - begun).toBeLessThan(3000);
    expect(receiver.received).toHaveLength(5);
  });
});

describe('a process that does not stay', () => {
  test('sends after the answer', async () => {
    setWorker(undefined);
    drainOnDemand(() => import('@/src/jobs'));
    const { receiver, write, deliveries } = await newSending();
    await Promise.all([write(), write(), write()]);
    await settled();
    expect(receiver.received).toHaveLength(3);
    expect((await deliveries()).map(({ state }) => state)).toEqual(Array(3).fill('succeeded'));
  });

  test('starts sending after a write in the dashboard, and not after a read', async () => {
    const deferred: unknown[] = [];
    const ask = (method: string) =>
      handleDashboardRequest(
        new Request('http://localhost/api/trpc/webhooks.endpoints.sendTest', { method }),
        (task) => deferred.push(task),
      );
    await ask('GET');
    expect(deferred).toHaveLength(0);
    await ask('POST');
    expect(deferred).toHaveLength(1);
  });
});

describe('/api/cron', () => {
  const secret = 'a secret of some length';
  const ask = (authorization?: string) =>
    cron(
      new Request('http://localhost/api/cron', {
        headers: authorization ? { authorization } : {},
      }),
    );

  test('is 404 where no CRON_SECRET is set', async () => {
    expect((await ask(`Bearer ${secret}`)).status).toBe(404);
  });

  test.each([undefined, secret, 'Bearer ', `Bearer ${secret}x`, `bearer ${secret}`])(
    'is 401 for the header %s',
    async (header) => {
      provideEnv({ CRON_SECRET: secret });
      expect((await ask(header)).status).toBe(401);
    },
  );

  test('sends what is due', async () => {
    provideEnv({ CRON_SECRET: secret });
    const { receiver, write } = await newSending();
    await write();
    await write();
    const answer = await ask(`Bearer ${secret}`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ attempts: 2 });
    expect(receiver.received).toHaveLength(2);
  });
});

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

async function receivedBy(received: Received[], count: number): Promise<void> {
  while (received.length < count) await pause(5);
}

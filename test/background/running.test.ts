import { GET as cron } from '@/app/api/cron/route';
import { drainOnDemand } from '@/src/background/drain';
import { type Loop, longestSleepMs, startLoop } from '@/src/background/loop';
import { handleDashboardRequest } from '@/src/dashboard';
import { provideEnv } from '@/src/env';
import { jobs } from '@/src/jobs';
import { setWorker } from '@/src/outbox/due';
import { settled } from '@/test/helpers/next-server';
import { withOwnDatabase } from '../helpers/own-database';
import { addPending } from '../webhooks/backlog';
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
  test('is woken from its sleep by a write of its own', async () => {
    const { receiver, write } = await newSending();
    const sleeps = watchSleeps();
    loop = startLoop(jobs, { isAlone: false });
    await sleeps.until((ms) => ms === longestSleepMs);
    sleeps.neverEnd();
    await write();
    await receivedBy(receiver.received, 1);
  });

  test('sleeps no longer than until the next delivery is due, and sends it no earlier', async () => {
    const { receiver, endpointId } = await newSending();
    const dueInMs = 5000;
    const dueAt = performance.now() + dueInMs;
    await addPending(endpointId, 1, new Date(Date.now() + dueInMs));
    const sleeps = watchSleeps();
    loop = startLoop(jobs, { isAlone: false });
    await sleeps.until((ms) => ms > 0 && ms <= dueInMs);
    expect(receiver.received.filter(({ at }) => at < dueAt)).toEqual([]);
  });

  test('finishes what it is sending when it is stopped', async () => {
    let answer = () => {};
    const { receiver, write, deliveries } = await newSending((response) => {
      answer = () => answerWith(response, 200);
    });
    loop = startLoop(jobs, { isAlone: false });
    await write();
    await receivedBy(receiver.received, 1);
    const stopped = loop.stop({ graceMs: 60_000 });
    answer();
    await stopped;
    expect(await deliveries()).toMatchObject([{ state: 'succeeded', attempt_count: 1 }]);
    await write();
    expect(receiver.received).toHaveLength(1);
  });

  test('gives back what does not finish in time, as if it had not been tried', async () => {
    const { receiver, write, deliveries, endpoint } = await newSending(() => {});
    loop = startLoop(jobs, { isAlone: false });
    await write();
    await receivedBy(receiver.received, 1);
    await loop.stop({ graceMs: 20 });
    expect(await deliveries()).toMatchObject([{ state: 'pending', attempt_count: 0 }]);
    expect(await endpoint()).toMatchObject({ failure_count: 0 });
    receiver.answer = (response) => answerWith(response, 200);
    loop = startLoop(jobs, { isAlone: false });
    await receivedBy(receiver.received, 2);
  });

  test('answers its API while receivers hang', async () => {
    const { tenant, receiver, endpointId } = await newSending(() => {});
    await addPending(endpointId, 20);
    loop = startLoop(jobs, { isAlone: false });
    await receivedBy(receiver.received, 5);
    for (let count = 0; count < 20; count++) {
      expect((await tenant.api.get('/testimonials')).status).toBe(200);
    }
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

  test('sends what is written while a receiver keeps it waiting', async () => {
    setWorker(undefined);
    drainOnDemand(() => import('@/src/jobs'));
    let answer = () => {};
    const slow = await newSending((response) => {
      answer = () => answerWith(response, 200);
    });
    await slow.write();
    await receivedBy(slow.receiver.received, 1);
    const other = await newSending();
    const clock = Date.now.bind(Date);
    // As long as an attempt may take, and so less than is left of the drain.
    jest.spyOn(Date, 'now').mockImplementation(() => clock() + 15_000);
    await other.write();
    await receivedBy(other.receiver.received, 1);
    answer();
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

/** The sleeps that begin from here on, which can be made to last for ever. */
function watchSleeps() {
  const begin = setTimeout;
  const spy = jest.spyOn(global, 'setTimeout');
  return {
    async until(isMeant: (ms: number) => boolean) {
      while (!spy.mock.calls.some(([, ms]) => isMeant(ms ?? 0))) {
        await new Promise(setImmediate);
      }
    },
    neverEnd() {
      for (const { value: timer } of spy.mock.results) clearTimeout(timer);
      spy.mockImplementation((task, ms = 0) => begin(task, ms < longestSleepMs ? ms : forEverMs));
    },
  };
}

const forEverMs = 2 ** 31 - 1;

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

async function receivedBy(received: Received[], count: number): Promise<void> {
  while (received.length < count) await pause(5);
}

import { startDrain } from '@/src/background/drain';
import { database } from '@/src/database/client';
import { log } from '@/src/logging/log';
import { webhookLimits } from '@/src/webhooks/limits';
import { retryScheduleMs } from '@/src/webhooks/sending/backoff';
import { nextDueInMs } from '@/src/webhooks/sending/claim';
import { deliveryJob } from '@/src/webhooks/sending/delivery-job';
import { renewLeases, returnLeases } from '@/src/webhooks/sending/leases';
import { recordOutcomes } from '@/src/webhooks/sending/outcomes';
import { drainAt } from '../helpers/drain';
import { dayMs, later, secondMs } from '../helpers/durations';
import { withOwnDatabase } from '../helpers/own-database';
import { addPending } from './backlog';
import { answerWith } from './receiver';
import { claimAt, newSending, success } from './sending';

withOwnDatabase();

const { leaseMs } = webhookLimits;
const after = (instant: Date, ms: number) => new Date(instant.getTime() + ms);
const returnEnded = (now: Date) => returnLeases({ all: false, now });

test('what a dead process has claimed is sent again within 10 seconds', () => {
  const { returnLeasesEveryMs, renewLeasesEveryMs } = webhookLimits;
  // A busy loop looks once a second, so that a round may be missed.
  expect(leaseMs + 2 * returnLeasesEveryMs).toBeLessThan(10 * secondMs);
  expect(3 * renewLeasesEveryMs).toBeLessThan(leaseMs);
});

test('a lease that ran out goes back, logged as interrupted, and its holder records nothing', async () => {
  const { write, deliveries, webhooks, receiver, endpoint } = await newSending();
  await write();
  const now = later();
  const [claimed] = await claimAt({ now });
  if (!claimed) throw new Error('Nothing was claimed');
  expect(await claimAt({ now })).toEqual([]);
  expect(await nextDueInMs(now)).toBe(leaseMs);

  expect(await returnEnded(after(now, leaseMs - 1))).toBe(0);
  const endedAt = after(now, leaseMs);
  expect(await returnEnded(endedAt)).toBe(1);
  expect(await deliveries()).toMatchObject([
    { state: 'pending', attempt_count: 1, error_class: 'interrupted' },
  ]);

  const late = [{ claimed, result: success }];
  expect(await recordOutcomes(late, { now: endedAt, random: Math.random })).toBe(0);
  expect(await deliveries()).toMatchObject([{ state: 'pending', attempt_count: 1 }]);

  expect(await drainAt(endedAt)).toBe(1);
  expect(receiver.received).toHaveLength(1);
  const [{ id } = { id: '' }] = await deliveries();
  expect((await webhooks.deliveries.get({ id })).attempts).toMatchObject([
    { number: 1, error_class: 'interrupted', duration_ms: leaseMs },
    { number: 2, error_class: null, response_status: 204 },
  ]);
  expect(await endpoint()).toMatchObject({ failure_count: 0 });
});

test('a process renews what it has itself: what a dead one had goes back all the same', async () => {
  const { endpointId } = await newSending();
  await addPending(endpointId, 2);
  const now = later();
  const [lost, held] = [await claimAt({ now, free: 2 }), await claimAt({ now, free: 4 })];
  expect([lost.length, held.length]).toEqual([1, 1]);
  const endedAt = after(now, leaseMs);
  await renewLeases(held, endedAt);
  expect(await returnEnded(endedAt)).toBe(1);
  const leased = await database().webhookDelivery.findMany({
    where: { leaseToken: { not: null } },
  });
  expect(leased.map(({ id }) => id)).toEqual(held.map(({ id }) => id));
});

test('a lease that was renewed for weeks, as a clock set forward has it, goes back like any other', async () => {
  const { write, deliveries, webhooks } = await newSending();
  await write();
  const now = later();
  const claimed = await claimAt({ now });
  const weeksLater = after(now, 26 * dayMs);
  await renewLeases(claimed, weeksLater);
  expect(await returnEnded(after(weeksLater, leaseMs))).toBe(1);
  const [{ id } = { id: '' }] = await deliveries();
  expect((await webhooks.deliveries.get({ id })).attempts).toMatchObject([
    { error_class: 'interrupted', duration_ms: 2 ** 31 - 1 },
  ]);
});

test('a resend leaves what is being sent to finish, and to go on as if nobody had asked', async () => {
  const { receiver, write, deliveries, webhooks, endpoint } = await newSending();
  await write();
  const [{ id } = { id: '' }] = await deliveries();
  receiver.answer = async (response) => {
    await webhooks.deliveries.resend({ id });
    answerWith(response, 500);
  };
  const now = later();
  expect(await drainAt(now)).toBe(1);
  receiver.answer = (response) => answerWith(response, 500);
  expect(await drainAt(now)).toBe(0);
  expect(await drainAt(after(now, retryScheduleMs[0] ?? 0))).toBe(1);
  expect(await deliveries()).toMatchObject([{ state: 'pending', attempt_count: 2 }]);
  // What was sent once more by hand is no part of a streak.
  expect(await endpoint()).toMatchObject({ failure_count: 2 });
});

test('a lease lasts for as long as its holder renews it, also one that had run out', async () => {
  const { write } = await newSending();
  await write();
  let now = later();
  const claimed = await claimAt({ now });
  for (let round = 0; round < 5; round++) {
    now = after(now, leaseMs + secondMs);
    await renewLeases(claimed, now);
    expect(await returnEnded(after(now, leaseMs - 1))).toBe(0);
  }
  expect(await returnEnded(after(now, leaseMs))).toBe(1);
  await renewLeases(claimed, now);
  expect(await claimAt({ now: after(now, leaseMs) })).toHaveLength(1);
});

test('an interrupted attempt costs no step of the schedule', async () => {
  const { receiver, write, deliveries } = await newSending((response) => answerWith(response, 500));
  await write();
  let now = later();
  await drainAt(now);
  now = after(now, retryScheduleMs[0] ?? 0);
  expect(await claimAt({ now })).toHaveLength(1);
  now = after(now, leaseMs);
  expect(await drainAt(now)).toBe(1);
  expect(receiver.received).toHaveLength(2);
  const [delivery] = await deliveries();
  expect(delivery).toMatchObject({ state: 'pending', attempt_count: 3 });
  expect(Date.parse(delivery?.next_attempt_at ?? '') - now.getTime()).toBe(retryScheduleMs[1]);
});

test('an event that ends its process each time is tried three times a step, and not for ever', async () => {
  const { write, deliveries } = await newSending();
  await write();
  let now = later();
  const steps = retryScheduleMs.length + 1;
  for (let step = 0; step < steps; step++) {
    for (let time = 0; time < webhookLimits.interruptionsPerStep; time++) {
      expect(await claimAt({ now })).toHaveLength(1);
      now = after(now, leaseMs);
      expect(await returnEnded(now)).toBe(1);
    }
    expect(await claimAt({ now })).toEqual([]);
    now = after(now, retryScheduleMs[step] ?? 0);
  }
  expect(await deliveries()).toMatchObject([{ state: 'failed', attempt_count: 3 * steps }]);
});

test('a test event that does so has failed after three times, for it is not retried', async () => {
  const { endpointId: id, deliveries, webhooks } = await newSending();
  await webhooks.endpoints.sendTest({ id });
  let now = later();
  for (let time = 0; time < webhookLimits.interruptionsPerStep; time++) {
    expect(await deliveries()).toMatchObject([{ state: 'pending' }]);
    expect(await claimAt({ now })).toHaveLength(1);
    now = after(now, leaseMs);
    expect(await returnEnded(now)).toBe(1);
  }
  expect(await deliveries()).toMatchObject([{ state: 'failed', next_attempt_at: null }]);
});

test('an attempt with an outcome ends the row of interruptions', async () => {
  const { receiver, write, deliveries } = await newSending((response) => answerWith(response, 500));
  await write();
  let now = later();
  const interrupt = async () => {
    expect(await claimAt({ now })).toHaveLength(1);
    now = after(now, leaseMs);
    expect(await returnEnded(now)).toBe(1);
  };
  await interrupt();
  await interrupt();
  expect(await drainAt(now)).toBe(1);
  now = after(now, retryScheduleMs[0] ?? 0);
  await interrupt();
  await interrupt();
  receiver.answer = (response) => answerWith(response, 200);
  expect(await drainAt(now)).toBe(1);
  expect(await deliveries()).toMatchObject([{ state: 'succeeded', attempt_count: 6 }]);
});

test('a process that is alone on its database takes back all leases when it starts', async () => {
  const { write, receiver } = await newSending();
  await write();
  expect(await claimAt()).toHaveLength(1);
  // However long the machine takes, none runs out.
  await setLeaseEnd(later(dayMs));
  const drain = (isAlone: boolean) =>
    startDrain([deliveryJob], { deadlineAt: Date.now() + 60_000, isAlone }).finished;
  expect(await drain(false)).toMatchObject({ started: 0 });
  expect(await drain(true)).toMatchObject({ started: 1 });
  expect(receiver.received).toHaveLength(1);
});

test('and does not take its own from itself later', async () => {
  const { write, receiver } = await newSending(() => {});
  const job = deliveryJob.begin({ random: Math.random, isAlone: true, onDone: () => {} });
  await job.start();
  await write();
  expect(await job.start()).toMatchObject({ started: 1 });
  while (receiver.received.length === 0) await new Promise(setImmediate);
  const later = performance.now() + webhookLimits.returnLeasesEveryMs;
  jest.spyOn(performance, 'now').mockReturnValue(later);
  expect(await job.start()).toMatchObject({ started: 0 });
  jest.restoreAllMocks();
  await receiver.close();
  await job.settled();
});

test('nor where its first look has failed: it claims nothing before it has taken back all', async () => {
  const { write, receiver, deliveries } = await newSending(() => {});
  await write();
  const job = deliveryJob.begin({ random: Math.random, isAlone: true, onDone: () => {} });
  jest.spyOn(database(), '$executeRaw').mockRejectedValueOnce(new Error('away'));
  await expect(job.start()).rejects.toThrow('away');
  expect(await job.start()).toMatchObject({ started: 1 });
  while (receiver.received.length === 0) await new Promise(setImmediate);
  jest.spyOn(performance, 'now').mockReturnValue(performance.now() + leaseMs);
  expect(await job.start()).toMatchObject({ started: 0 });
  expect(await deliveries()).toMatchObject([{ attempt_count: 0 }]);
  jest.restoreAllMocks();
  await receiver.close();
  await job.settled();
});

test('what a process still holds it does not take from itself, though the lease has run out', async () => {
  const { write, receiver, deliveries } = await newSending(() => {});
  const job = deliveryJob.begin({ random: Math.random, isAlone: false, onDone: () => {} });
  await write();
  expect(await job.start()).toMatchObject({ started: 1 });
  while (receiver.received.length === 0) await new Promise(setImmediate);
  // As where its row was locked for longer than the lease, and could not be renewed.
  await setLeaseEnd(new Date(Date.now() - secondMs));
  const later = performance.now() + webhookLimits.returnLeasesEveryMs;
  jest.spyOn(performance, 'now').mockReturnValue(later);
  expect(await job.start()).toMatchObject({ started: 0 });
  expect(await deliveries()).toMatchObject([{ attempt_count: 0 }]);
  jest.restoreAllMocks();
  await receiver.close();
  await job.settled();
  expect(await deliveries()).toMatchObject([{ attempt_count: 1, error_class: 'connection' }]);
});

test.each([
  ['what is due', 'is asked for'],
  ['a lease', 'is renewed'],
])(
  'where the database is away as %s %s, other processes get time to renew what they hold',
  async (what) => {
    const { receiver, endpointId } = await newSending(() => {});
    // None by itself: each is done here.
    const timers = jest.spyOn(global, 'setInterval').mockImplementation(() => setTimeout(() => {}));
    const job = deliveryJob.begin({ random: Math.random, isAlone: false, onDone: () => {} });
    await addPending(endpointId, 1);
    expect(await job.start()).toMatchObject({ started: 1 });
    await setLeaseEnd(later(dayMs));
    await addPending(endpointId, 1);
    expect(await claimAt({ now: later(-2 * leaseMs) })).toHaveLength(1);

    let present = performance.now() + webhookLimits.returnLeasesEveryMs;
    jest.spyOn(performance, 'now').mockImplementation(() => present);
    jest.spyOn(log(), 'warn').mockReturnValue();
    jest.spyOn(database(), '$executeRaw').mockRejectedValueOnce(new Error('away'));
    if (what === 'a lease') await renewalOf(timers)();
    else await expect(job.start()).rejects.toThrow('away');
    present += leaseMs - 1;
    expect(await job.start()).toMatchObject({ started: 0 });
    present += 1;
    expect(await job.start()).toMatchObject({ started: 1 });
    jest.restoreAllMocks();
    await receiver.close();
    await job.settled();
  },
);

test('what is being sent is renewed, and not taken from a process that lives', async () => {
  const { write, receiver, deliveries } = await newSending(() => {});
  await write();
  const timers = jest.spyOn(global, 'setInterval');
  const stopped = jest.spyOn(global, 'clearInterval');
  const drained = drainAt();
  while (receiver.received.length === 0) await new Promise(setImmediate);
  const renew = renewalOf(timers);
  const sincePast = new Date(Date.now() - leaseMs);
  await setLeaseEnd(sincePast);
  const renewedAt = new Date();
  await renew();
  expect(await returnLeases({ all: false, now: renewedAt })).toBe(0);
  await receiver.close();
  expect(await drained).toBe(1);
  expect(await deliveries()).toMatchObject([{ attempt_count: 1, error_class: 'connection' }]);
  expect(stopped).toHaveBeenCalled();
});

/** What renews the leases of what is being sent, by the timers that were set. */
function renewalOf(timers: jest.SpiedFunction<typeof setInterval>): () => unknown {
  const renewals = timers.mock.calls.filter(([, ms]) => ms === webhookLimits.renewLeasesEveryMs);
  expect(renewals).toHaveLength(1);
  const renew: unknown = renewals[0]?.[0];
  if (typeof renew !== 'function') throw new Error('Nothing is renewed');
  return () => renew();
}

async function setLeaseEnd(instant: Date): Promise<void> {
  const { database } = await import('@/src/database/client');
  await database().$executeRaw`
    UPDATE webhook_deliveries SET leased_until = ${instant} WHERE lease_token IS NOT NULL`;
}

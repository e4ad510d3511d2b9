import { database } from '@/src/database/client';
import { webhookLimits } from '@/src/webhooks/limits';
import { logTrimmingJob, trimLog } from '@/src/webhooks/log-trimming';
import { dayMs } from '../helpers/durations';
import { withOwnDatabase } from '../helpers/own-database';
import { statementsDuring } from '../helpers/statements';
import { addPending } from './backlog';
import { newSending } from './sending';

withOwnDatabase();

const { trimBatch } = webhookLimits;

/** So many events that an endpoint has still to get, and behind them one that may go. */
async function stored({ pending }: { pending: number }) {
  const { endpointId } = await newSending();
  await database().webhookEvent.deleteMany();
  await addPending(endpointId, pending);
  const [last] = await database().webhookEvent.findMany({
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: 1,
  });
  await database().webhookDelivery.deleteMany({ where: { eventId: last?.id ?? '' } });
  return database().webhookEvent.count();
}

const now = new Date(Date.now() + 31 * dayMs);

/** As if time was up after so many statements. */
function upAfter(statements: number): number {
  let looks = 0;
  jest.spyOn(Date, 'now').mockImplementation(() => {
    looks += 1;
    return looks > statements ? 1 : 0;
  });
  return 1;
}

test('what is pending is passed over once, in batches, and what is behind it goes', async () => {
  const count = await stored({ pending: 2 * trimBatch + 1 });
  let outcome: Awaited<ReturnType<typeof trimLog>> | undefined;
  const statements = await statementsDuring(async () => {
    outcome = await trimLog({ endAt: Number.POSITIVE_INFINITY, now });
  });
  expect(outcome).toEqual({ removed: 1, left: undefined });
  expect(statements).toHaveLength(3);
  expect(await database().webhookEvent.count()).toBe(count - 1);
});

test('a round whose time is up is gone on with where it was', async () => {
  await stored({ pending: 2 * trimBatch + 1 });
  const first = await trimLog({ endAt: upAfter(2), now });
  expect(first.removed).toBe(0);
  const second = await trimLog({ endAt: upAfter(1), now, from: first.left });
  expect(second).toEqual({ removed: 1, left: undefined });
});

test('the job goes on soon where its time was up, with what it had left', async () => {
  const count = await stored({ pending: 2 * trimBatch + 1 });
  const begin = (deadlineAt: number) =>
    logTrimmingJob.begin({ now, random: Math.random, isAlone: true, onDone: () => {}, deadlineAt });
  // It looks at the time once before its first statement.
  const job = begin(upAfter(3));
  await job.start();
  await job.settled();
  expect(await job.nextDueInMs()).toBeLessThanOrEqual(60_000);
  expect(await database().webhookEvent.count()).toBe(count);
  const next = begin(upAfter(2));
  await next.start();
  await next.settled();
  expect(await next.nextDueInMs()).toBeGreaterThan(60_000);
  expect(await database().webhookEvent.count()).toBe(count - 1);
});

test('events of one instant are all looked at', async () => {
  const count = await stored({ pending: trimBatch + 2 });
  await database().webhookEvent.updateMany({ data: { createdAt: new Date() } });
  await database().webhookDelivery.updateMany({ data: { state: 'failed', nextAttemptAt: null } });
  const { removed } = await trimLog({ endAt: Number.POSITIVE_INFINITY, now });
  expect(removed).toBe(count);
});

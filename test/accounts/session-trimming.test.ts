import { randomUUID } from 'node:crypto';
import { trimBatch, trimExpiredSessions } from '@/src/accounts/sessions';
import { mailTrimmingJob, sessionTrimmingJob } from '@/src/accounts/trimming-job';
import { database } from '@/src/database/client';
import { createAccount } from '../helpers/accounts';
import { withOwnDatabase } from '../helpers/own-database';

withOwnDatabase();

const hourMs = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * hourMs);

/** So many sessions of a new account, which expire in so many hours; returns how many are left. */
async function sessions(count: number, hours: number): Promise<() => Promise<number>> {
  const userId = await createAccount();
  const expiresAt = inHours(hours);
  await database().session.createMany({
    data: Array.from({ length: count }, () => ({ userId, token: randomUUID(), expiresAt })),
  });
  return () => database().session.count({ where: { userId } });
}

test('sessions of people who never come back are removed once they have expired, and no others', async () => {
  const expired = await sessions(trimBatch, -1);
  const lasting = await sessions(trimBatch, 1);
  const endAt = Number.POSITIVE_INFINITY;
  expect(await trimExpiredSessions({ endAt })).toBeUndefined();
  expect([await expired(), await lasting()]).toEqual([0, trimBatch]);
  await trimExpiredSessions({ endAt, now: inHours(2) });
  expect(await lasting()).toBe(0);
});

test('a round whose time is up is gone on with where it was', async () => {
  const left = await sessions(2 * trimBatch, -1);
  let looks = 0;
  jest.spyOn(Date, 'now').mockImplementation(() => looks++);
  const from = await trimExpiredSessions({ endAt: 1 });
  expect(await left()).toBe(trimBatch);
  const ids = await database().session.findMany({ select: { id: true } });
  expect(ids.every(({ id }) => from !== undefined && id > from)).toBe(true);
  await trimExpiredSessions({ endAt: looks + 2, from });
  expect(await left()).toBe(0);
});

test('the job goes on in its next round where the last one was, behind sessions that last', async () => {
  const left = await sessions(trimBatch + 1, 1);
  const [last] = await database().session.findMany({ orderBy: { id: 'desc' }, take: 1 });
  await database().session.update({
    where: { id: last?.id ?? '' },
    data: { expiresAt: inHours(-1) },
  });
  // Each round has time for one statement.
  let looks = 0;
  jest.spyOn(Date, 'now').mockImplementation(() => looks++ % 3);
  const context = { random: Math.random, isAlone: true, deadlineAt: 2, onDone: () => {} };
  const round = async () => {
    looks = 0;
    const job = sessionTrimmingJob.begin(context);
    await job.start();
    await job.settled();
    return left();
  };
  expect(await round()).toBe(trimBatch + 1);
  expect(await round()).toBe(trimBatch);
});

test('links that have expired are removed, and no others', async () => {
  const account = async (hours: number) => {
    const userId = await createAccount();
    const link = { userId, email: 'ada@example.com', requestedAt: new Date() };
    await database().accountLink.create({
      data: { ...link, purpose: 'reset-password', digest: userId, expiresAt: inHours(hours) },
    });
    return userId;
  };
  const [, lasting] = [await account(-1), await account(1)];
  const context = { random: Math.random, isAlone: true, onDone: () => {} };
  const job = mailTrimmingJob.begin({ ...context, deadlineAt: Date.now() + 60_000 });
  await job.start();
  await job.settled();
  const left = await database().accountLink.findMany();
  expect(left.map(({ userId }) => userId)).toEqual([lasting]);
});

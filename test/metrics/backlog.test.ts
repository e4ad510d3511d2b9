import { randomUUID } from 'node:crypto';
import { database } from '@/src/database/client';
import { readBacklog } from '@/src/service/backlog';
import { createAccount } from '../helpers/accounts';
import { withOwnDatabase } from '../helpers/own-database';
import { addPending } from '../webhooks/backlog';
import { claimAt, newSending } from '../webhooks/sending';

withOwnDatabase();

test('tells by queue what is due, and for how long the oldest has been', async () => {
  const userId = await createAccount();
  const at = (ms: number) => new Date(Date.now() + ms);
  const expiresAt = at(3_600_000);
  const mail = { userId, kind: 'password-reset', expiresAt };
  await database().mail.createMany({
    data: [
      { ...mail, nextAttemptAt: at(-120_000) },
      { ...mail, nextAttemptAt: at(-10_000) },
      { ...mail, nextAttemptAt: at(60_000) },
      { ...mail, sentAt: new Date(), nextAttemptAt: at(-600_000) },
      {
        ...mail,
        expiresAt: at(-1),
        nextAttemptAt: at(-600_000),
      },
    ],
  });
  for (const [index, nextAttemptAt] of [-30_000, 60_000].map((ms) => at(ms)).entries()) {
    const testimonialId = randomUUID();
    await database().transcriptionJob.create({
      data: { testimonialId, userId, nextAttemptAt, textHash: 0 },
    });
    await database().fileRemoval.create({
      data: { key: `${userId}/${index}`, url: 'https://files.example/a', userId, nextAttemptAt },
    });
  }
  const backlog = (await readBacklog()) ?? [];
  expect(backlog.map(({ queue, due }) => [queue, due])).toEqual([
    ['webhooks', 0],
    ['transcriptions', 1],
    ['mails', 2],
    ['file_removals', 1],
  ]);
  const mails = backlog.find(({ queue }) => queue === 'mails')?.oldestSeconds ?? 0;
  expect(mails).toBeGreaterThan(110);
  expect(mails).toBeLessThan(3_600);
});

test('of deliveries those are told of that nobody has begun and whose endpoint takes some', async () => {
  const dueDeliveries = async () =>
    (await readBacklog())?.find(({ queue }) => queue === 'webhooks')?.due;
  const { endpointId } = await newSending();
  await addPending(endpointId, 5);
  expect(await dueDeliveries()).toBe(5);
  expect(await claimAt({ free: 2 })).toHaveLength(1);
  expect(await dueDeliveries()).toBe(4);
  await database().webhookEndpoint.update({ where: { id: endpointId }, data: { enabled: false } });
  expect(await dueDeliveries()).toBe(0);
});

test('of a queue ten thousand are counted at most, and the oldest is known all the same', async () => {
  await database().$executeRaw`
    INSERT INTO mails (user_id, kind, expires_at, next_attempt_at)
    SELECT ${await createAccount()}::uuid, 'password-reset', now() + interval '1 hour',
      now() - make_interval(hours => CASE number WHEN 10050 THEN 9 ELSE 2 END)
    FROM generate_series(1, 10050) number`;
  const mails = (await readBacklog())?.find(({ queue }) => queue === 'mails');
  expect(mails?.due).toBe(10_000);
  expect(mails?.oldestSeconds).toBeGreaterThan(8 * 3_600);
});

import { readBacklog } from '@/src/backlog';
import { database } from '@/src/database/client';
import { createAccount } from '../helpers/accounts';
import { withOwnDatabase } from '../webhooks/own-database';

withOwnDatabase();

test('tells by queue what is due, and for how long the oldest has been', async () => {
  const userId = await createAccount();
  const expiresAt = new Date(Date.now() + 3_600_000);
  const mail = { userId, kind: 'password-reset', expiresAt };
  await database().mail.createMany({
    data: [
      { ...mail, nextAttemptAt: new Date(Date.now() - 120_000) },
      { ...mail, nextAttemptAt: new Date(Date.now() - 10_000) },
      { ...mail, nextAttemptAt: new Date(Date.now() + 60_000) },
    ],
  });
  const backlog = (await readBacklog()) ?? [];
  expect(backlog.map(({ queue, due }) => [queue, due])).toEqual([
    ['webhooks', 0],
    ['transcriptions', 0],
    ['mails', 2],
    ['file_removals', 0],
  ]);
  const mails = backlog.find(({ queue }) => queue === 'mails')?.oldestSeconds ?? 0;
  expect(mails).toBeGreaterThan(110);
  expect(mails).toBeLessThan(3_600);
});

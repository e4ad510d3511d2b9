import { database } from '@/src/database/client';
import { Prisma } from '@/src/database/generated/client';
import { log } from '@/src/logging/log';
import { rulesByKind } from '@/src/mail/kinds';
import { queueMails } from '@/src/mail/queue';
import { createAccount } from '../helpers/accounts';
import { failChanges, mendChanges } from '../helpers/failing-changes';
import { withOwnDatabase } from '../helpers/own-database';
import { openMailServer } from './mail-server';
import { closeMailServers, drainMails, later, queue, setMailServer, stored } from './mailing';

withOwnDatabase();
afterEach(closeMailServers);

/** Has the database fail so many times as it is to note that a mail is sent. */
const failNotes = (times: number) => failChanges('UPDATE OF sent_at', 'mails', { times });

afterEach(mendChanges);

test('a mail that is sent while the database fails for a moment is sent once', async () => {
  const server = await openMailServer();
  setMailServer(server);
  const id = await queue();
  await failNotes(1);
  await drainMails();
  expect(await stored(id)).toMatchObject({ sentAt: expect.any(Date), problem: null });
  await drainMails(later(7200));
  expect(server.received).toHaveLength(1);
});

test('where it fails for longer, it is sent once more, and nobody is told that it was refused', async () => {
  const server = await openMailServer();
  setMailServer(server);
  const warn = jest.spyOn(log(), 'warn');
  const id = await queue();
  await failNotes(2);
  await drainMails();
  expect(await stored(id)).toMatchObject({ sentAt: null, problem: null });
  const lines = warn.mock.calls.map(([, line]) => line);
  warn.mockRestore();
  expect(lines).toEqual(['a mail that was sent is not noted, and is sent once more']);
  await drainMails(later(100));
  expect(await stored(id)).toMatchObject({ sentAt: expect.any(Date) });
  expect(server.received).toHaveLength(2);
});

test('a mail that could not be written, as the database failed, was refused by nobody', async () => {
  const server = await openMailServer();
  setMailServer(server);
  const userId = await createAccount();
  const mail = { kind: 'confirm-email', userId, recipient: 'new@example.com', data: {} };
  const { id } = await database().mail.create({ data: { ...mail, expiresAt: later(3600) } });
  await failChanges('INSERT', 'account_links', { times: 1 });
  await drainMails();
  expect(server.received).toHaveLength(0);
  expect(await stored(id)).toMatchObject({ sentAt: null, problem: null });
  await mendChanges();
  await drainMails(later(100));
  expect(server.received).toHaveLength(1);
});

test('of many mails at once an account gets no more than it may have in a day', async () => {
  const [one, other] = [await createAccount(), await createAccount()];
  const perDay = rulesByKind.get('endpoint-switched-off')?.perDay ?? 0;
  const queueAtOnce = (count: number) =>
    database().$executeRaw(
      queueMails(
        'endpoint-switched-off',
        Prisma.sql`SELECT unnest(${[one, other]}::uuid[]) AS user_id, NULL::text AS recipient,
          '{}'::json AS data FROM generate_series(1, ${count}::int)`,
      ),
    );
  expect(await queueAtOnce(perDay - 1)).toBe(2 * (perDay - 1));
  expect(await queueAtOnce(10)).toBe(2);
  expect(await queueAtOnce(10)).toBe(0);
});

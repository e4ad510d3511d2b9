import { database } from '@/src/database/client';
import { Prisma } from '@/src/database/generated/client';
import { log } from '@/src/log';
import { createAccount } from '../helpers/accounts';
import { withOwnDatabase } from '../webhooks/own-database';
import { openMailServer } from './mail-server';
import { closeMailServers, drainMails, setMailServer } from './mailing';

withOwnDatabase();
afterEach(closeMailServers);

/** Queues a mail of which an account gets a bounded number in a day. Returns its id. */
async function queue(): Promise<string> {
  const userId = await createAccount();
  const expiresAt = later(3600);
  const endpoint = {
    endpoint_id: userId,
    url: 'https://receiver.example/',
    reason: null,
    failing_since: '2026-01-15T10:30:00.000000+00:00',
    failures: 5,
  };
  const data = { kind: 'endpoint-failing', userId, expiresAt, data: endpoint };
  return (await database().mail.create({ data })).id;
}

const stored = (id: string) => database().mail.findUnique({ where: { id } });
const later = (seconds: number) => new Date(Date.now() + seconds * 1000);

/** Has the database fail so many times as it is to note that a mail is sent: a sequence counts on. */
async function failNotes(times: number): Promise<void> {
  await database().$executeRaw`CREATE SEQUENCE notes`;
  await database().$executeRaw`
    CREATE FUNCTION fail_note() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF nextval('notes') <= TG_ARGV[0]::int THEN
        RAISE EXCEPTION 'cut' USING ERRCODE = '08006';
      END IF;
      RETURN NEW;
    END $$`;
  await database().$executeRaw(Prisma.sql`
    CREATE TRIGGER fail_note BEFORE UPDATE OF sent_at ON mails
    FOR EACH ROW EXECUTE FUNCTION fail_note(${Prisma.raw(`'${times}'`)})`);
}

afterEach(async () => {
  await database().$executeRaw`DROP TRIGGER fail_note ON mails`;
  await database().$executeRaw`DROP FUNCTION fail_note`;
  await database().$executeRaw`DROP SEQUENCE notes`;
});

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
  await failNotes(0);
  await database().$executeRaw`
    CREATE TRIGGER fail_link BEFORE INSERT ON account_links
    FOR EACH ROW EXECUTE FUNCTION fail_note('1')`;
  await drainMails();
  expect(server.received).toHaveLength(0);
  expect(await stored(id)).toMatchObject({ sentAt: null, problem: null });
  await database().$executeRaw`DROP TRIGGER fail_link ON account_links`;
  await drainMails(later(100));
  expect(server.received).toHaveLength(1);
});

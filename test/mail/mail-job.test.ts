import { createServer, type Socket } from 'node:net';
import { startDrain } from '@/src/background/drain';
import { database } from '@/src/database/client';
import { Prisma } from '@/src/database/generated/client';
import { env } from '@/src/env';
import { mailJob } from '@/src/jobs';
import { log } from '@/src/logging/log';
import { rulesByKind } from '@/src/mail/kinds';
import { claimMails, mailLimits, queueMails, trimMails, waitingMails } from '@/src/mail/queue';
import { sendMail } from '@/src/mail/send';
import { mailSettings } from '@/src/mail/settings';
import { startScript } from '../database/processes';
import { createAccount } from '../helpers/accounts';
import { withOwnDatabase } from '../helpers/own-database';
import { closeServers, serve } from '../outbound/servers';
import { openMailServer } from './mail-server';
import { closeMailServers, drainMails, later, queue, setMailServer, stored } from './mailing';

withOwnDatabase();
afterEach(closeMailServers);
afterEach(closeServers);

test('a mail that was sent is sent no more', async () => {
  const server = await openMailServer();
  setMailServer(server);
  const id = await queue();
  await drainMails();
  await drainMails(later(7200));
  expect(server.received).toHaveLength(1);
  expect(server.received[0]?.headers.get('message-id')).toBe(`<${id}@testimonials.example>`);
  expect(server.received[0]?.from).toBe('no-reply@testimonials.example');
  // So that no answering machine answers.
  expect(server.received[0]?.headers.get('auto-submitted')).toBe('auto-generated');
  const sent = await stored(id);
  expect(sent).toMatchObject({ sentAt: expect.any(Date) });
  expect(await waitingMails(`${sent?.userId}`)).toEqual({ waiting: 0, problem: null });
  await trimMails({ endAt: Date.now() + 10_000, now: later(3700) });
  expect(await stored(id)).toBeNull();
});

test('a server is told the host of PUBLIC_URL, and not the name or address of a container', async () => {
  const names: string[] = [];
  const server = await openMailServer({
    onMailFrom: (_address, { hostNameAppearsAs }, done) => {
      names.push(hostNameAppearsAs);
      done();
    },
  });
  setMailServer(server);
  await queue();
  await drainMails();
  expect(names).toEqual(['testimonials.example']);
});

test('a failure that the database does not note is no failure of the process', async () => {
  setMailServer({ port: 9 });
  const id = await queue();
  await database().$executeRaw`ALTER TABLE mails ADD CONSTRAINT unnoted CHECK (problem IS NULL)`;
  await drainMails();
  await database().$executeRaw`ALTER TABLE mails DROP CONSTRAINT unnoted`;
  expect(await stored(id)).toMatchObject({ attemptCount: 1, problem: null });
});

test('while the server is away mails wait, and go when it is back', async () => {
  setMailServer({ port: 9 });
  const id = await queue();
  await drainMails();
  expect(await stored(id)).toMatchObject({ attemptCount: 1, problem: 'ESOCKET' });
  // Not before its time, and then again.
  await drainMails();
  expect(await stored(id)).toMatchObject({ attemptCount: 1 });
  await drainMails(later(100));
  expect(await stored(id)).toMatchObject({ attemptCount: 2 });
  const server = await openMailServer();
  setMailServer(server);
  await drainMails(later(300));
  expect(server.received).toHaveLength(1);
  expect(await stored(id)).toMatchObject({ sentAt: expect.any(Date), problem: null });
});

test("a mail is nobody else's for longer than a try may take with a slow server and a slow database", async () => {
  const id = await queue();
  const statementMs = 10_000 + 5_000;
  let now = later(1);
  for (const _try of [1, 2, 3, 4, 5]) {
    expect(await claimMails(1, now)).toHaveLength(1);
    const end = new Date(now.getTime() + mailLimits.timeoutMs + 4 * statementMs);
    expect(await claimMails(1, end)).toEqual([]);
    now = (await stored(id))?.nextAttemptAt ?? now;
  }
});

test('a mail that is refused again and again is tried every hour as long as it is worth sending', async () => {
  const id = await queue();
  await database().mail.update({
    where: { id },
    data: { attemptCount: 5, expiresAt: later(72 * 3600) },
  });
  for (const attempts of [6, 7]) {
    const at = later(attempts * 3600);
    expect(await claimMails(1, at)).toMatchObject([{ id, attempts }]);
    expect(await stored(id)).toMatchObject({
      nextAttemptAt: new Date(at.getTime() + 3_600_000),
    });
  }
});

test('the mail that has waited longest is sent first, and what waits is told of each account alone', async () => {
  const ids = [await queue(), await queue(), await queue()];
  const [first, second, third] = ids;
  const waits: [string | undefined, number][] = [
    [second, -90],
    [third, -60],
    [first, -30],
  ];
  for (const [id, seconds] of waits) {
    await database().mail.update({ where: { id }, data: { nextAttemptAt: later(seconds) } });
  }
  const claimed = [...(await claimMails(1)), ...(await claimMails(1)), ...(await claimMails(1))];
  expect(claimed.map(({ id }) => id)).toEqual([second, third, first]);
  const accountId = `${claimed[0]?.accountId}`;
  expect(await waitingMails(accountId)).toEqual({ waiting: 1, problem: null });
  await database().mail.update({ where: { id: second }, data: { expiresAt: later(-1) } });
  expect(await waitingMails(accountId)).toEqual({ waiting: 0, problem: null });
});

test('an address with a comma in it is no list of addresses', async () => {
  const server = await openMailServer();
  setMailServer(server);
  const settings = mailSettings();
  if (!settings) throw new Error('There are none');
  const message = { to: 'a@example.com, b@example.com', subject: 'A', text: 'A' };
  await sendMail('1', message, settings, new AbortController().signal).catch(() => {});
  expect(server.received.flatMap(({ to }) => to)).not.toContain('b@example.com');
});

test('how many an account may be sent in a day is counted by kind, account and day', async () => {
  const [userId, other] = [await createAccount(), await createAccount()];
  const queueOne = (kind: 'test' | 'endpoint-failing', id = userId) =>
    database().$executeRaw(
      queueMails(
        kind,
        Prisma.sql`SELECT ${id}::uuid AS user_id, NULL::text AS recipient, '{}'::json AS data`,
      ),
    );
  const perDay = rulesByKind.get('test')?.perDay ?? 0;
  for (let count = 0; count < perDay; count += 1) expect(await queueOne('test')).toBe(1);
  expect(await queueOne('test')).toBe(0);
  for (let count = 0; count <= perDay; count += 1)
    expect(await queueOne('endpoint-failing')).toBe(1);
  expect(await queueOne('test', other)).toBe(1);
  // A day ago, and on a day that the clock is set back from.
  for (const seconds of [-86_460, 86_460]) {
    await database().mail.updateMany({
      where: { userId },
      data: { createdAt: later(seconds) },
    });
    expect(await queueOne('test')).toBe(1);
  }
});

test('what a server refuses is tried again, and the log does not say to whom', async () => {
  const server = await openMailServer({
    onRcptTo: ({ address }, _session, done) =>
      done(Object.assign(new Error(`5.1.1 No mailbox ${address}`), { responseCode: 550 })),
  });
  setMailServer(server);
  const warn = jest.spyOn(log(), 'warn').mockImplementation(() => {});
  const id = await queue();
  await drainMails();
  expect(await stored(id)).toMatchObject({ attemptCount: 1, problem: 'EENVELOPE' });
  const facts = { id, kind: 'test', attempts: 1, code: 'EENVELOPE', cause: undefined };
  const says = { responseCode: 550, reason: '5.1.1', command: 'RCPT TO' };
  expect(warn.mock.calls).toEqual([[{ ...facts, ...says }, 'mail not sent']]);
});

test('of those who look at once each gets mails of its own', async () => {
  const ids = new Set<string>();
  for (let count = 0; count < 10; count += 1) ids.add(await queue());
  const claims = await Promise.all(Array.from({ length: 10 }, () => claimMails(2)));
  const claimed = claims.flat().map(({ id }) => id);
  expect(claimed.toSorted()).toEqual([...new Set(claimed)].toSorted());
  // What was locked by another is passed over, and comes with the next look.
  const rest = (await claimMails(10)).map(({ id }) => id);
  expect(new Set([...claimed, ...rest])).toEqual(ids);
});

test('a mail whose time is over is not sent, and is removed', async () => {
  const server = await openMailServer();
  setMailServer(server);
  const id = await queue();
  await drainMails(later(3700));
  expect(server.received).toEqual([]);
  await trimMails({ endAt: Date.now() + 10_000, now: later(3700) });
  expect(await stored(id)).toBeNull();
});

test('without a server mails wait, and nothing is tried', async () => {
  const id = await queue();
  await drainMails();
  expect(await stored(id)).toMatchObject({ attemptCount: 0 });
});

test('a mail to an account that is gone, or of a kind that is not known, hurts nobody', async () => {
  const server = await openMailServer();
  setMailServer(server);
  const expiresAt = later(3600);
  const gone = await database().mail.create({
    data: { kind: 'test', userId: '00000000-0000-4000-8000-000000000000', expiresAt },
  });
  const newer = await database().mail.create({ data: { kind: 'from-a-newer-version', expiresAt } });
  await drainMails();
  expect(server.received).toEqual([]);
  expect(await stored(gone.id)).toBeNull();
  expect(await stored(newer.id)).not.toBeNull();
});

test('a server that says nothing holds no more than the places, and is left when the process stops', async () => {
  const sockets: Socket[] = [];
  const port = await serve(createServer((socket) => sockets.push(socket)));
  setMailServer({ port });
  for (let count = 0; count < mailLimits.atOnce + 2; count += 1) await queue();
  const context = { random: Math.random, isAlone: false, onDone: () => {} };
  const running = mailJob.begin(context);
  expect(await running.start()).toEqual({ started: mailLimits.atOnce, isFull: true });
  expect(await running.start()).toMatchObject({ started: 0 });
  running.abort();
  await running.settled();
  expect(await running.start()).toMatchObject({ started: 0 });
  expect(await database().mail.count()).toBe(mailLimits.atOnce + 2);
  expect(await database().mail.count({ where: { problem: 'EABORT' } })).toBe(mailLimits.atOnce);
});

test.each([
  ['says nothing', () => {}],
  [
    'goes on greeting',
    (socket: Socket) => {
      const drip = setInterval(() => socket.write('220-wait\r\n'), 10);
      socket.on('close', () => clearInterval(drip));
    },
  ],
])('a server that %s is logged as one that did not answer in time', async (_, greet) => {
  jest.replaceProperty(mailLimits, 'timeoutMs', 200);
  const warn = jest.spyOn(log(), 'warn').mockImplementation(() => {});
  const silent = createServer((socket) => {
    socket.on('error', () => {});
    greet(socket);
  });
  setMailServer({ port: await serve(silent) });
  const id = await queue();
  await drainMails();
  expect(await stored(id)).toMatchObject({ problem: 'ETIMEDOUT' });
  expect(warn.mock.calls.filter(([facts]) => 'code' in Object(facts))).toEqual([
    [
      expect.objectContaining({ id, code: 'ETIMEDOUT' }),
      'mail not sent: the server did not answer in time',
    ],
  ]);
  jest.restoreAllMocks();
});

test('a drain that is almost over begins no mail', async () => {
  setMailServer(await openMailServer());
  const id = await queue();
  await startDrain([mailJob], { deadlineAt: Date.now() + mailLimits.timeoutMs - 1 }).finished;
  expect(await stored(id)).toMatchObject({ attemptCount: 0 });
});

test('a process that is killed while it sends loses no mail, and the second has the same id', async () => {
  const server = await openMailServer();
  setMailServer(server);
  const id = await queue();
  const arrived = new Promise<void>((resolve) => {
    // Answered never: the process cannot know that it was taken.
    server.instead = () => {
      resolve();
      return new Promise(() => {});
    };
  });
  const { DATABASE_URL = '', SECRET_KEY = '', SMTP_URL = '' } = env();
  const child = startScript('../mail/mailing-process.ts', DATABASE_URL, SECRET_KEY, SMTP_URL);
  await arrived;
  await child.kill();
  server.instead = undefined;
  expect(await stored(id)).toMatchObject({ attemptCount: 1 });
  await drainMails(later(100));
  expect(server.received.map(({ headers }) => headers.get('message-id'))).toEqual([
    `<${id}@testimonials.example>`,
  ]);
  expect(await stored(id)).toMatchObject({ sentAt: expect.any(Date) });
});

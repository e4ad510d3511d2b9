import { database } from '@/src/database/client';
import { createAccount } from '../helpers/accounts';
import { drainAt } from '../helpers/drain';
import { dayMs, hourMs, later } from '../helpers/durations';
import { withOwnDatabase } from '../helpers/own-database';
import { linkIn, type MailServer, openMailServer } from '../mail/mail-server';
import { closeMailServers, drainMails, ownUrl, setMailServer } from '../mail/mailing';
import { answerWith } from './receiver';
import { newSending, type Sending } from './sending';

withOwnDatabase();
afterEach(closeMailServers);

let server: MailServer;

beforeEach(async () => {
  server = await openMailServer();
  setMailServer(server);
});

const failing = () => newSending((response) => answerWith(response, 500));
const subjects = async () => {
  await drainMails();
  return server.received.map(({ headers }) => headers.get('subject'));
};
const dayOld = 'A webhook endpoint has failed for a day';
const off = 'A webhook endpoint was switched off';

/** As if the endpoint had begun to fail so long ago. */
async function backdate({ endpointId }: Sending, ms: number, failures = 5): Promise<void> {
  await database().$executeRaw`
    UPDATE webhook_endpoints SET failure_count = ${failures}::int,
      failing_since = clock_timestamp() - ${ms}::float8 * interval '1 millisecond'
    WHERE id = ${endpointId}::uuid`;
}

/** Writes, and has it fail. */
async function fail(sending: Sending): Promise<void> {
  await sending.write();
  await drainAt();
}

/** Where no mail server listens. */
const away = { port: 1 };

/** That the one mail that waits for a server is not sent once one is there, after a change. */
async function expectUntoldAfter(change: () => Promise<unknown>): Promise<void> {
  await drainMails();
  expect(await database().mail.count({ where: { sentAt: null } })).toBe(1);
  await change();
  setMailServer(server);
  await drainMails(later(hourMs));
  expect(server.received).toEqual([]);
  expect(await database().mail.count()).toBe(0);
}

test('an endpoint that has failed for a day is told of once, with a link to its page', async () => {
  const sending = await failing();
  await fail(sending);
  await backdate(sending, 23 * hourMs);
  await fail(sending);
  expect(await subjects()).toEqual([]);
  await backdate(sending, 25 * hourMs);
  await fail(sending);
  expect(await subjects()).toEqual([dayOld]);
  const { email } = await database().user.findUniqueOrThrow({
    where: { id: sending.tenant.accountId },
  });
  const [mail] = server.received;
  expect(mail?.to).toEqual([email]);
  expect(mail?.text).toContain(sending.receiver.url);
  expect(mail?.text).toContain('Tests, and what you sent again, do not count');
  expect(mail?.text).toContain(`${ownUrl}/webhooks/${sending.endpointId}`);
  await fail(sending);
  await fail(sending);
  expect(await subjects()).toEqual([dayOld]);
});

test('a new streak of failures is told of again', async () => {
  const sending = await failing();
  await fail(sending);
  await backdate(sending, 25 * hourMs);
  await fail(sending);
  sending.receiver.answer = (response) => answerWith(response, 200);
  await fail(sending);
  sending.receiver.answer = (response) => answerWith(response, 500);
  await fail(sending);
  expect(await subjects()).toEqual([dayOld]);
  await backdate(sending, 26 * hourMs);
  await fail(sending);
  expect(await subjects()).toEqual([dayOld, dayOld]);
});

test('one that is switched off is told of once, and says why', async () => {
  const sending = await failing();
  await fail(sending);
  await backdate(sending, 6 * dayMs, 30);
  await fail(sending);
  expect(await sending.endpoint()).toMatchObject({ status: 'switched_off' });
  expect(await subjects()).toEqual([off]);
  expect(server.received[0]?.text).toContain('It has failed 31 times in a row since');
  expect(linkIn(server.received[0]).href).toBe(sending.receiver.url);
});

test('one that answers 410 is told of, and once where several answers say so', async () => {
  const sending = await newSending((response) => answerWith(response, 410));
  await sending.write();
  await sending.write();
  await drainAt();
  expect(await subjects()).toEqual([off]);
  expect(server.received[0]?.text).toContain('410');
});

test('one that a person paused is told of no more', async () => {
  const sending = await failing();
  await sending.write();
  await drainAt();
  await backdate(sending, 25 * hourMs);
  await sending.webhooks.endpoints.update({ id: sending.endpointId, enabled: false });
  await drainAt(later(dayMs));
  expect(await subjects()).toEqual([]);
});

test.each<[what: string, change: (sending: Sending) => Promise<unknown>]>([
  [
    'took an event again',
    async (sending) => {
      sending.receiver.answer = (response) => answerWith(response, 200);
      await fail(sending);
    },
  ],
  [
    'was paused',
    ({ webhooks, endpointId: id }) => webhooks.endpoints.update({ id, enabled: false }),
  ],
  ['was deleted', ({ webhooks, endpointId: id }) => webhooks.endpoints.delete({ id })],
])('that one fails is not told where it %s before a server took the mail', async (_, change) => {
  setMailServer(away);
  const sending = await failing();
  await fail(sending);
  await backdate(sending, 25 * hourMs);
  await fail(sending);
  await expectUntoldAfter(() => change(sending));
});

test.each<[what: string, change: (sending: Sending) => Promise<unknown>]>([
  ['resumed', ({ webhooks, endpointId: id }) => webhooks.endpoints.update({ id, enabled: true })],
  ['deleted', ({ webhooks, endpointId: id }) => webhooks.endpoints.delete({ id })],
])(
  'that one is off is not told where it was %s before a server took the mail',
  async (_, change) => {
    setMailServer(away);
    const sending = await newSending((response) => answerWith(response, 410));
    await fail(sending);
    await expectUntoldAfter(() => change(sending));
  },
);

test('an account is told of no more than twenty in a day, whoever it is that reads there', async () => {
  const sending = await newSending((response) => answerWith(response, 410));
  const { accountId } = sending.tenant;
  await database().$executeRaw`
    INSERT INTO mails (user_id, kind, sent_at, expires_at)
    SELECT ${accountId}::uuid, 'endpoint-switched-off', clock_timestamp(),
      clock_timestamp() + interval '72 hours' FROM generate_series(1, 19)`;
  for (const expected of [1, 1]) {
    await sending.webhooks.endpoints.update({ id: sending.endpointId, enabled: true });
    await fail(sending);
    expect(await subjects()).toHaveLength(expected);
  }
  await database().$executeRaw`
    UPDATE mails SET created_at = created_at - interval '25 hours'`;
  await sending.webhooks.endpoints.update({ id: sending.endpointId, enabled: true });
  await fail(sending);
  expect(await subjects()).toHaveLength(2);
});

test('without a mail server nothing is queued, and the first failure with one tells', async () => {
  setMailServer(undefined);
  const sending = await failing();
  await fail(sending);
  await backdate(sending, 25 * hourMs);
  await fail(sending);
  expect(await database().mail.count()).toBe(0);
  setMailServer(server);
  await fail(sending);
  expect(await subjects()).toEqual([dayOld]);
});

test('of an endpoint of test data the person is told, that it is test data, at the bounds of their account', async () => {
  const sending = await newSending((response) => answerWith(response, 410));
  const liveUserId = await createAccount();
  const { accountId: id } = sending.tenant;
  await database().user.update({ where: { id }, data: { liveUserId } });
  await fail(sending);
  expect(await subjects()).toEqual([`Test mode: ${off}`]);
  const { email } = await database().user.findUniqueOrThrow({ where: { id: liveUserId } });
  const [mail] = server.received;
  expect(mail?.to).toEqual([email]);
  expect(mail?.text).toContain('an endpoint of your test data');
  expect(mail?.text).toContain(`${ownUrl}/webhooks/${sending.endpointId}?mode=test\n`);
  expect(await database().mail.count({ where: { userId: liveUserId } })).toBe(1);
  expect(await database().mail.count({ where: { userId: id } })).toBe(0);
});

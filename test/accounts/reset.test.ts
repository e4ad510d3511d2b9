import { createHash } from 'node:crypto';
import { tryLimits } from '@/src/accounts/auth/throttle';
import { closeAccount } from '@/src/accounts/closing';
import { openLink, tokenOf } from '@/src/accounts/links';
import { queueTestMail } from '@/src/accounts/mails';
import { changePassword, digestIfRight } from '@/src/accounts/password';
import { database } from '@/src/database/client';
import { provideEnv } from '@/src/env';
import { during, onServer } from '../helpers/locks';
import { withOwnDatabase } from '../helpers/own-database';
import { askAuth, callTrpc, cookieOf, password, signUp } from '../helpers/session';
import { linkIn, type MailServer, openMailServer, tokenIn } from '../mail/mail-server';
import { closeMailServers, drainMails, ownUrl, setMailServer } from '../mail/mailing';

withOwnDatabase();

const another = 'another battery staple';

let server: MailServer;

beforeEach(async () => {
  server = await openMailServer();
  setMailServer(server);
});

afterEach(closeMailServers);

const request = (email: string, headers?: Record<string, string>) =>
  askAuth('/request-password-reset', { email }, headers);
const reset = (token: string, newPassword = another) =>
  askAuth('/reset-password', { token, newPassword });
const check = (token: string) => askAuth('/check-link', { token, purpose: 'reset-password' });
const signIn = (email: string, tried: string) =>
  askAuth('/sign-in/email', { email, password: tried });

async function answerOf(response: Response) {
  const { code } = await response.json();
  return { status: response.status, code };
}

const expired = { status: 410, code: 'LINK_EXPIRED' };

/** A person, and what the link of a mail for a new password carries. */
async function askedForReset() {
  const person = await signUp();
  expect((await request(person.email)).status).toBe(200);
  await drainMails();
  return { ...person, token: tokenIn(server.received.at(-1)) };
}

test('a mail with a link sets a new password, once, and signs out everywhere', async () => {
  const { email, cookie, token } = await askedForReset();
  expect(server.received).toHaveLength(1);
  const [mail] = server.received;
  expect(mail?.to).toEqual([email]);
  expect(mail?.headers.get('auto-submitted')).toBe('auto-generated');
  expect(linkIn(mail).href).toBe(`${ownUrl}/reset-password#${token}`);
  expect(await database().mail.count()).toBe(0);
  expect((await check(token)).status).toBe(200);
  expect((await reset(token)).status).toBe(200);
  expect((await signIn(email, password)).status).toBe(401);
  expect((await signIn(email, another)).status).toBe(200);
  expect((await callTrpc('query', 'account.get', undefined, { cookie })).status).toBe(401);
  expect(await answerOf(await reset(token))).toEqual(expired);
  expect(await answerOf(await check(token))).toEqual(expired);
});

test('of several uses at once, one sets its password', async () => {
  const { token } = await askedForReset();
  const answers = await Promise.all([1, 2, 3].map((one) => reset(token, `${another} ${one}`)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410]);
});

test('neither the queue nor a row holds what the link carries', async () => {
  const { email } = await signUp();
  await request(email);
  const queued = JSON.stringify(await database().mail.findMany());
  await drainMails();
  const token = tokenIn(server.received[0]);
  const [link] = await database().accountLink.findMany();
  expect(token.length).toBeGreaterThanOrEqual(43);
  expect(queued).not.toContain(token);
  expect(link?.digest).toBe(createHash('sha256').update(token).digest('hex'));
});

test('a mail that is sent once more has the same link, which is good', async () => {
  const { accountId: id, email } = await signUp();
  const expiresAt = new Date(Date.now() + 3_600_000);
  const queued = { kind: 'reset-password', recipient: email, expiresAt, data: {} };
  const mail = await database().mail.create({ data: queued });
  const open = () => openLink(mail.id, 'reset-password', { id, email });
  expect([await open(), await open()]).toEqual([true, true]);
  expect((await check(tokenOf(mail.id))).status).toBe(200);
});

test('a link is good for an hour', async () => {
  const { token } = await askedForReset();
  const [link] = await database().accountLink.findMany();
  const lifeMs = Number(link?.expiresAt) - Number(link?.requestedAt);
  expect(Math.abs(lifeMs - 3_600_000)).toBeLessThan(5000);
  await database().$executeRaw`
    UPDATE account_links SET expires_at = clock_timestamp() - interval '1 second'`;
  expect(await answerOf(await check(token))).toEqual(expired);
  expect(await answerOf(await reset(token))).toEqual(expired);
});

test('a new link voids the one before, whichever mail is sent first', async () => {
  const { email, token: first } = await askedForReset();
  await request(email);
  await drainMails();
  const second = tokenIn(server.received[1]);
  expect(second).not.toBe(first);
  expect((await check(first)).status).toBe(410);
  expect((await check(second)).status).toBe(200);
  // An older mail that is tried again has no link to give.
  await database().$executeRaw`
    INSERT INTO mails (kind, recipient, created_at, expires_at)
    VALUES ('reset-password', ${email}, clock_timestamp() - interval '10 minutes',
      clock_timestamp() + interval '50 minutes')`;
  await drainMails();
  expect(server.received).toHaveLength(2);
  expect((await check(second)).status).toBe(200);
});

test('a link of a clock that was ahead is voided by a new one, once the clock is set back', async () => {
  const { email, token: first } = await askedForReset();
  await database().$executeRaw`
    UPDATE account_links SET requested_at = requested_at + interval '2 days',
      expires_at = expires_at + interval '2 days'`;
  await request(email);
  await drainMails();
  expect(server.received).toHaveLength(2);
  expect((await check(first)).status).toBe(410);
  expect((await check(tokenIn(server.received[1]))).status).toBe(200);
});

test('a sign-in that has compared its password before a new one is set lets nobody in', async () => {
  const { accountId, email } = await signUp();
  // As if the new one was set between the two.
  await database().$executeRawUnsafe(`
    CREATE FUNCTION replace_password() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      UPDATE sign_in_methods SET password = 'another' WHERE user_id = NEW.user_id;
      RETURN NEW;
    END $$`);
  await database().$executeRawUnsafe(`
    CREATE TRIGGER replace_password BEFORE INSERT ON sessions
    FOR EACH ROW WHEN (NEW.user_id = '${accountId}') EXECUTE FUNCTION replace_password()`);
  const [known] = await database().session.findMany({ where: { userId: accountId } });
  try {
    const answer = await signIn(email, password);
    expect(answer.headers.getSetCookie()).toEqual([]);
    const code = 'INVALID_EMAIL_OR_PASSWORD';
    expect(await answerOf(answer)).toEqual({ status: 401, code });
    expect(await database().session.findMany({ where: { userId: accountId } })).toEqual([known]);
  } finally {
    await database().$executeRawUnsafe('DROP FUNCTION replace_password() CASCADE');
  }
});

/** Runs a task while another password is being set, which is as soon as it waits for that. */
function whileAnotherIsSet<T>(accountId: string, task: () => Promise<T>): Promise<T> {
  const set = `UPDATE sign_in_methods SET password = 'another' WHERE user_id = $1`;
  return during([set, accountId], task);
}

onServer('nor does one while a new one is being set', async () => {
  const { accountId, email } = await signUp();
  const [known] = await database().session.findMany({ where: { userId: accountId } });
  const answer = await whileAnotherIsSet(accountId, () => signIn(email, password));
  expect(answer.headers.getSetCookie()).toEqual([]);
  const code = 'INVALID_EMAIL_OR_PASSWORD';
  expect(await answerOf(answer)).toEqual({ status: 401, code });
  expect(await database().session.findMany({ where: { userId: accountId } })).toEqual([known]);
});

onServer('a new password that is set while another is changes nothing', async () => {
  const { accountId } = await signUp();
  const digest = await digestIfRight(accountId, password);
  const change = () => changePassword(accountId, String(digest), another);
  expect(await whileAnotherIsSet(accountId, change)).toBe(false);
  const where = { userId: accountId };
  expect(await database().signInMethod.findFirst({ where })).toMatchObject({ password: 'another' });
  expect(await database().session.count({ where })).toBe(1);
});

test('of new passwords that two browsers set at once one counts, and lets its browser alone in', async () => {
  const { email, cookie } = await signUp();
  const browsers = [cookie, cookieOf(await signIn(email, password))];
  const answers = await Promise.all(
    browsers.map((one, index) => {
      const body = { currentPassword: password, newPassword: `${another} ${index}` };
      return askAuth('/change-password', body, { cookie: one });
    }),
  );
  const statuses = answers.map(({ status }) => status);
  const winner = statuses.indexOf(200);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect((await signIn(email, `${another} ${winner}`)).status).toBe(200);
  expect((await signIn(email, `${another} ${1 - winner}`)).status).toBe(401);
  const isSignedIn = await Promise.all(
    [...browsers, ...answers.map(cookieOf)].map(async (one) => {
      const { status } = await callTrpc('query', 'account.get', undefined, { cookie: one });
      return status === 200;
    }),
  );
  expect(isSignedIn).toEqual([false, false, winner === 0, winner === 1]);
});

test.each([
  ['a new password from within', 'change'],
  ['another link', 'reset'],
])('%s voids links, and those on their way', async (_, how) => {
  const { email, cookie, token } = await askedForReset();
  await request(email);
  if (how === 'change') {
    const body = { currentPassword: password, newPassword: another };
    expect((await askAuth('/change-password', body, { cookie })).status).toBe(200);
  } else {
    expect((await reset(token)).status).toBe(200);
  }
  expect((await check(token)).status).toBe(410);
  await drainMails();
  expect(server.received).toHaveLength(1);
});

test('a closed account gets no mail and no link any more, and the one that it has is void', async () => {
  const { accountId, email, token } = await askedForReset();
  await request(email);
  const { id } = await database().mail.findFirstOrThrow();
  expect(await queueTestMail(accountId)).toBe(true);
  expect(await closeAccount(accountId)).toBe(true);
  expect(await answerOf(await check(token))).toEqual(expired);
  // Whoever writes the mail may have looked the account up before.
  expect(await openLink(id, 'reset-password', { id: accountId, email })).toBe(false);
  await drainMails();
  expect(server.received).toHaveLength(1);
  expect(await database().accountLink.count()).toBe(0);
  expect(await database().mail.count()).toBe(0);
});

test('the answer is the same for an address without an account, and so is what is written', async () => {
  const { email } = await signUp();
  const answers = [await request(email), await request('nobody@example.com')];
  const [known, unknown] = await Promise.all(answers.map((answer) => answer.text()));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(unknown).toBe(known);
  const queued = await database().mail.findMany({ orderBy: { createdAt: 'asc' } });
  expect(queued.map(({ kind, userId, recipient }) => [kind, userId, recipient])).toEqual([
    ['reset-password', null, email],
    ['reset-password', null, 'nobody@example.com'],
  ]);
  await drainMails();
  expect(server.received.map(({ to }) => to)).toEqual([[email]]);
  expect(await database().mail.count()).toBe(0);
});

test('the link leads to PUBLIC_URL, whatever host the request names', async () => {
  const { email } = await signUp();
  const hosts = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
  await request(email, hosts);
  await drainMails();
  expect(linkIn(server.received[0]).origin).toBe(ownUrl);
});

test.each([['PUBLIC_URL'], ['SMTP_URL']])('without %s there is no mail', async (name) => {
  const { email } = await signUp();
  // The two that belong together go together.
  provideEnv(name === 'SMTP_URL' ? { SMTP_URL: '', MAIL_FROM: '' } : { PUBLIC_URL: '' });
  expect(await answerOf(await request(email))).toEqual({ status: 403, code: 'NO_MAILS' });
  expect(await database().mail.count()).toBe(0);
});

test('requests are throttled by account and address, and by account', async () => {
  const { email } = await signUp();
  const { atAccountFromPrefix, atAccount } = tryLimits['request-reset'];
  const from = { 'x-forwarded-for': '2001:db8:aa::1' };
  for (let count = 1; count <= atAccountFromPrefix; count += 1) {
    expect((await request(email, from)).status).toBe(200);
  }
  expect(await answerOf(await request(email, from))).toMatchObject({ status: 429 });
  for (let count = atAccountFromPrefix; count < atAccount; count += 1) await request(email);
  expect((await request(email)).status).toBe(429);
  expect(await database().mail.count()).toBe(atAccount);
});

test.each([
  ['a short password', { newPassword: 'short' }],
  ['no token', { token: undefined }],
  ['a token of no possible length', { token: 'x'.repeat(1000) }],
])('%s is refused, and the link stays good', async (_, changes) => {
  const { token } = await askedForReset();
  const body = { token, newPassword: another, ...changes };
  expect((await askAuth('/reset-password', body)).status).toBe(400);
  expect((await check(token)).status).toBe(200);
});

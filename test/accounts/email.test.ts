import { closeAccount } from '@/src/accounts/closing';
import { changeEmail } from '@/src/accounts/email';
import { database } from '@/src/database/client';
import { provideEnv } from '@/src/env';
import { withOwnDatabase } from '../helpers/own-database';
import { askAuth, callTrpc, password, signUp } from '../helpers/session';
import { linkIn, openMailServer, tokenIn } from '../mail/mail-server';
import { closeMailServers, drainMails, ownUrl, setMailServer } from '../mail/mailing';

withOwnDatabase();
afterEach(closeMailServers);

type Person = Awaited<ReturnType<typeof signUp>>;

const change = ({ cookie }: Person, newEmail: string) =>
  askAuth('/change-email', { newEmail, password }, { cookie });
const confirm = (token: string) => askAuth('/confirm-email', { token });
const signIn = (email: string) => askAuth('/sign-in/email', { email, password });

let count = 0;
const newAddress = () => `new-${process.pid}-${count++}@example.com`;

async function withMails() {
  const server = await openMailServer();
  setMailServer(server);
  return server;
}

describe('without a mail server', () => {
  test('the address changes at once, and nobody is signed out', async () => {
    const person = await signUp();
    const email = newAddress();
    const answer = await change(person, ` ${email.toUpperCase()}`.trim());
    expect([answer.status, await answer.json()]).toEqual([200, { isConfirmed: true }]);
    expect((await signIn(email)).status).toBe(200);
    expect((await signIn(person.email)).status).toBe(401);
    const { data } = await callTrpc('query', 'account.get', undefined, { cookie: person.cookie });
    expect(data.email).toBe(email);
  });

  test('links that went to the address before are void', async () => {
    const server = await withMails();
    const person = await signUp();
    await askAuth('/request-password-reset', { email: person.email });
    await drainMails();
    const token = tokenIn(server.received[0]);
    provideEnv({ SMTP_URL: '', MAIL_FROM: '' });
    const look = { token, purpose: 'reset-password' };
    expect((await askAuth('/check-link', look)).status).toBe(200);
    expect((await change(person, newAddress())).status).toBe(200);
    expect((await askAuth('/check-link', look)).status).toBe(410);
    expect(await database().accountLink.count()).toBe(0);
  });

  test('of an account that is closed meanwhile it stays nobody’s', async () => {
    const { accountId } = await signUp();
    const email = newAddress();
    expect(await closeAccount(accountId)).toBe(true);
    await changeEmail(accountId, email);
    expect(await database().user.count({ where: { email } })).toBe(0);
  });

  test('nothing changes for who is signed out while the password is compared', async () => {
    const person = await signUp();
    // As if somebody had set a new one, which ends every session.
    await database().$executeRawUnsafe(`
      CREATE FUNCTION sign_out() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        DELETE FROM sessions WHERE user_id = '${person.accountId}';
        RETURN NEW;
      END $$`);
    await database().$executeRawUnsafe(`
      CREATE TRIGGER sign_out BEFORE INSERT ON sign_in_throttles
      FOR EACH ROW WHEN (NEW.key LIKE 'change-password|%') EXECUTE FUNCTION sign_out()`);
    try {
      expect((await change(person, newAddress())).status).toBe(401);
    } finally {
      await database().$executeRawUnsafe('DROP FUNCTION sign_out() CASCADE');
    }
    const where = { id: person.accountId };
    expect(await database().user.findUnique({ where })).toMatchObject({ email: person.email });
  });

  test('an address that has an account is refused', async () => {
    const [person, other] = [await signUp(), await signUp()];
    const answer = await change(person, other.email);
    expect([answer.status, (await answer.json()).code]).toEqual([422, 'USER_ALREADY_EXISTS']);
    expect((await signIn(person.email)).status).toBe(200);
  });
});

describe('with a mail server', () => {
  test('nothing changes before the link to the new address is used, and the old one is told', async () => {
    const server = await withMails();
    const person = await signUp();
    const email = newAddress();
    const answer = await change(person, email);
    expect([answer.status, await answer.json()]).toEqual([200, { isConfirmed: false }]);
    await drainMails();
    const mailTo = (to: string) => server.received.find((mail) => mail.to.includes(to));
    expect(server.received).toHaveLength(2);
    expect(mailTo(person.email)?.text).toContain(email);
    expect(linkIn(mailTo(person.email)).href).toBe(`${ownUrl}/forgot-password`);
    expect((await signIn(person.email)).status).toBe(200);
    const token = tokenIn(mailTo(email));
    expect(linkIn(mailTo(email)).href).toBe(`${ownUrl}/confirm-email#${token}`);
    expect((await confirm(token)).status).toBe(200);
    expect((await signIn(person.email)).status).toBe(401);
    expect((await signIn(email)).status).toBe(200);
    expect(await database().user.findUnique({ where: { email } })).toMatchObject({
      id: person.accountId,
      emailVerified: true,
    });
    expect((await confirm(token)).status).toBe(410);
  });

  test('an address that has an account is told to nobody but who reads its mails', async () => {
    const server = await withMails();
    const [person, other] = [await signUp(), await signUp()];
    expect((await change(person, other.email)).status).toBe(200);
    await drainMails();
    const mail = server.received.find(({ to }) => to.includes(other.email));
    const answer = await confirm(tokenIn(mail));
    expect([answer.status, (await answer.json()).code]).toEqual([422, 'USER_ALREADY_EXISTS']);
    expect((await signIn(other.email)).status).toBe(200);
    expect((await signIn(person.email)).status).toBe(200);
  });

  test('a link to confirm an address sets no password, and the other way round', async () => {
    const server = await withMails();
    const person = await signUp();
    await change(person, newAddress());
    await askAuth('/request-password-reset', { email: person.email });
    await drainMails();
    const tokenOf = (path: string) =>
      tokenIn(server.received.find((mail) => linkIn(mail).pathname === path));
    const newPassword = 'another battery';
    const token = tokenOf('/confirm-email');
    expect((await askAuth('/check-link', { token, purpose: 'reset-password' })).status).toBe(410);
    expect((await askAuth('/reset-password', { token, newPassword })).status).toBe(410);
    expect((await confirm(tokenOf('/reset-password'))).status).toBe(410);
    const look = { token: tokenOf('/reset-password'), purpose: 'reset-password' };
    expect((await askAuth('/check-link', look)).status).toBe(200);
  });

  test.each([
    ['before', 0],
    ['after', 1],
  ])('the new address is the one confirmed, where a link to reset was sent %s', async (_, turn) => {
    const server = await withMails();
    const person = await signUp();
    const email = newAddress();
    const asking = [
      () => askAuth('/request-password-reset', { email: person.email }),
      () => change(person, email),
    ];
    for (const ask of turn === 0 ? asking : asking.toReversed()) {
      await ask();
      await drainMails();
    }
    const token = tokenIn(server.received.find(({ to }) => to.includes(email)));
    expect((await confirm(token)).status).toBe(200);
    expect((await signIn(email)).status).toBe(200);
    expect(await database().accountLink.count()).toBe(0);
  });

  test('a link whose time is over changes nothing', async () => {
    const server = await withMails();
    const person = await signUp();
    await change(person, newAddress());
    await drainMails();
    const token = tokenIn(
      server.received.find((mail) => linkIn(mail).pathname === '/confirm-email'),
    );
    await database().$executeRaw`
      UPDATE account_links SET expires_at = clock_timestamp() - interval '1 second'
      WHERE user_id = ${person.accountId}::uuid`;
    expect((await confirm(token)).status).toBe(410);
    expect((await signIn(person.email)).status).toBe(200);
  });

  test('a new password voids the change that somebody else asked for', async () => {
    const server = await withMails();
    const person = await signUp();
    const email = newAddress();
    await change(person, email);
    await drainMails();
    const token = tokenIn(server.received.find(({ to }) => to.includes(email)));
    const body = { currentPassword: password, newPassword: 'another battery' };
    expect((await askAuth('/change-password', body, { cookie: person.cookie })).status).toBe(200);
    expect((await confirm(token)).status).toBe(410);
  });

  test('also where the mail with its link is still on its way: that one is not sent', async () => {
    const server = await withMails();
    const person = await signUp();
    await change(person, newAddress());
    const body = { currentPassword: password, newPassword: 'another battery' };
    expect((await askAuth('/change-password', body, { cookie: person.cookie })).status).toBe(200);
    await drainMails();
    // The one that tells of the change.
    expect(server.received.map(({ to }) => to)).toEqual([[person.email]]);
    expect(await database().accountLink.count()).toBe(0);
  });

  test('of two changes the later one holds', async () => {
    const server = await withMails();
    const person = await signUp();
    const [one, two] = [newAddress(), newAddress()];
    await change(person, one);
    await drainMails();
    await change(person, two);
    await drainMails();
    const tokenTo = (to: string) => tokenIn(server.received.find((mail) => mail.to.includes(to)));
    expect((await confirm(tokenTo(one))).status).toBe(410);
    expect((await confirm(tokenTo(two))).status).toBe(200);
  });
});

test('mails to confirm an address are throttled, by account and by where they go', async () => {
  await withMails();
  const [person, other] = [await signUp(), await signUp()];
  const from = { 'x-forwarded-for': '2001:db8:dd::1' };
  const ask = ({ cookie }: Person, newEmail: string) =>
    askAuth('/change-email', { newEmail, password }, { cookie, ...from });
  const email = newAddress();
  for (let times = 1; times <= 3; times += 1) {
    expect((await ask(person, email)).status).toBe(200);
  }
  expect((await ask(person, newAddress())).status).toBe(429);
  expect((await ask(other, email)).status).toBe(429);
  expect(await database().mail.count({ where: { recipient: email } })).toBe(3);
});

test('the password is asked for, and tries are counted as those to change it', async () => {
  const person = await signUp();
  const headers = { cookie: person.cookie, 'x-forwarded-for': '2001:db8:bb::1' };
  const body = { newEmail: newAddress(), password: 'wrong password' };
  for (let tries = 1; tries <= 10; tries += 1) {
    expect((await askAuth('/change-email', body, headers)).status).toBe(400);
  }
  const right = { ...body, password };
  expect((await askAuth('/change-email', right, headers)).status).toBe(429);
  expect((await askAuth('/delete-account', { ...right, email: 'a' }, headers)).status).toBe(429);
});

test.each(['not an address', '', 'a@b', `${'a'.repeat(400)}@example.com`, 'a@example.com\r\nX: y'])(
  '%j is no address to change to',
  async (newEmail) => {
    const person = await signUp();
    const answer = await change(person, newEmail);
    expect([answer.status, (await answer.json()).code]).toEqual([400, 'INVALID_EMAIL']);
  },
);

test('without a session nothing changes', async () => {
  const body = { newEmail: newAddress(), password };
  expect((await askAuth('/change-email', body)).status).toBe(401);
  expect((await askAuth('/send-test-mail', {})).status).toBe(401);
});

describe('a test mail', () => {
  test('goes to the own address, a few times in a quarter of an hour', async () => {
    const server = await withMails();
    const { cookie, email } = await signUp();
    const headers = { cookie, 'x-forwarded-for': '2001:db8:cc::1' };
    for (let times = 1; times <= 3; times += 1) {
      expect((await askAuth('/send-test-mail', {}, headers)).status).toBe(200);
    }
    expect((await askAuth('/send-test-mail', {}, headers)).status).toBe(429);
    await drainMails();
    expect(server.received.map(({ to }) => to)).toEqual([[email], [email], [email]]);
    expect(linkIn(server.received[0]).href).toBe(`${ownUrl}/account`);
  });

  test('is refused where none are sent', async () => {
    const { cookie } = await signUp();
    expect((await askAuth('/send-test-mail', {}, { cookie })).status).toBe(403);
  });
});

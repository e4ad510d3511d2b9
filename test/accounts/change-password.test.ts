import { sessionPrincipal } from '@/src/accounts/auth/session';
import { countTry, tryLimits } from '@/src/accounts/auth/throttle';
import { changePassword, digestIfRight } from '@/src/accounts/password';
import { askAuth, cookieOf, password, randomAddress, signUp } from '../helpers/session';

const signIn = (email: string, tried: string) =>
  askAuth('/sign-in/email', { email, password: tried });

const newPassword = 'another battery staple';

test('a new password ends every other session, whatever the page asks for', async () => {
  const { email, cookie } = await signUp();
  const elsewhere = cookieOf(await signIn(email, password));
  const body = { currentPassword: password, newPassword, revokeOtherSessions: false };
  const answer = await askAuth('/change-password', body, { cookie });
  expect(answer.status).toBe(200);
  expect(await sessionPrincipal(new Headers({ cookie: elsewhere }))).toBeNull();
  expect(await sessionPrincipal(new Headers({ cookie: cookieOf(answer) }))).not.toBeNull();
  expect((await signIn(email, password)).status).toBe(401);
  expect((await signIn(email, newPassword)).status).toBe(200);
});

test('a new password is refused where the password that was known was replaced meanwhile', async () => {
  const { accountId, email } = await signUp();
  const digest = await digestIfRight(accountId, password);
  if (!digest) throw new Error('The password is another');
  expect(await changePassword(accountId, digest, newPassword)).toBe(true);
  const cookie = cookieOf(await signIn(email, newPassword));
  expect(await changePassword(accountId, digest, 'a third battery staple')).toBe(false);
  expect(await sessionPrincipal(new Headers({ cookie }))).not.toBeNull();
  expect((await signIn(email, newPassword)).status).toBe(200);
});

test('a change of the password is throttled, so that a session that was left open tells nothing about the password', async () => {
  const { accountId, cookie } = await signUp();
  const address = { 'x-forwarded-for': randomAddress() };
  const headers = { cookie, ...address };
  const change = (currentPassword: string) =>
    askAuth('/change-password', { currentPassword, newPassword }, headers);
  const { atAccountFromPrefix } = tryLimits['change-password'];
  for (let index = 1; index < atAccountFromPrefix; index += 1) {
    const tried = { account: accountId, headers: new Headers(address) };
    await countTry({ action: 'change-password', ...tried });
  }
  expect((await change('wrong password')).status).toBe(400);
  expect((await change(password)).status).toBe(429);
});

test('a change of the password needs a session', async () => {
  const body = { currentPassword: password, newPassword };
  expect((await askAuth('/change-password', body)).status).toBe(401);
});

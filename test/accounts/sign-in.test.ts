import { createHash, randomUUID } from 'node:crypto';
import { sessionPrincipal } from '@/src/accounts/auth/session';
import { countTry, knownForMs, tryLimits, windowMs } from '@/src/accounts/auth/throttle';
import { database } from '@/src/database/client';
import { provideEnv } from '@/src/env';
import { log } from '@/src/logging/log';
import { stopClockAt } from '../helpers/clock';
import { askAuth, password, signUp } from '../helpers/session';

const signIn = (email: string, tried: string, headers?: Record<string, string>) =>
  askAuth('/sign-in/email', { email, password: tried }, headers);

const from = (address: string) => ({ 'x-forwarded-for': address });

/** Tries as wrong passwords make them, but for the slow look at the password. */
async function tryWrongly(email: string, times: number, address: string): Promise<void> {
  const headers = new Headers(from(address));
  for (let index = 0; index < times; index += 1) {
    await countTry({ action: 'sign-in', account: email, headers });
  }
}

/** As if so many tries had been counted where the key has this form; one was before. */
async function setCount(keyPattern: string, count: number): Promise<void> {
  const changed = await database().$executeRaw`
    UPDATE sign_in_throttles SET count = ${count} WHERE key LIKE ${keyPattern}`;
  expect(changed).toBe(1);
}

/** As if what was counted or noted under keys of this form had been that much earlier. */
async function setBack(keyPattern: string, byMs: number): Promise<void> {
  const changed = await database().$executeRaw`
    UPDATE sign_in_throttles SET last_request = last_request - ${byMs}::bigint
    WHERE key LIKE ${keyPattern}`;
  expect(changed).toBeGreaterThan(0);
}

/** The key of the tries at an account from everywhere ends like this. */
const atAccountKey = (email: string) => `sign-in|at|${digestOf(email)}`;

const digestOf = (email: string) => createHash('sha256').update(email).digest('hex');

/** A network for documentation that no other test uses. */
const part = () => (1 + Math.floor(Math.random() * 0xfffe)).toString(16);
const newNetwork = () => `2001:db8:${part()}:${part()}`;

afterEach(() => provideEnv({ PUBLIC_URL: '', TRUSTED_PROXIES: '' }));

test('a refused sign-in is told in the log once, with where it came from and not whom it was for', async () => {
  const { email } = await signUp();
  const network = newNetwork();
  const warn = jest.spyOn(log(), 'warn');
  await signIn(email, 'not the password', from(`${network}::1`));
  await signIn(email, password, from(`${network}::1`));
  expect(warn.mock.calls).toEqual([
    [{ component: 'auth', from: `${network}::/64` }, 'sign-in refused'],
  ]);
  warn.mockRestore();
});

describe('the cookie of a session', () => {
  test('is kept from scripts and from other sites', async () => {
    const { email } = await signUp();
    const [cookie] = (await signIn(email, password)).headers.getSetCookie();
    expect(cookie).toMatch(/HttpOnly/i);
    expect(cookie).toMatch(/SameSite=Lax/i);
    expect(cookie).not.toMatch(/Secure/i);
  });

  test('is Secure behind https', async () => {
    const behindProxy = { origin: 'https://localhost', 'x-forwarded-proto': 'https' };
    const { email } = await signUp();
    const [cookie] = (await signIn(email, password, behindProxy)).headers.getSetCookie();
    expect(cookie).toMatch(/^__Secure-.*; Secure/i);
  });
});

describe('a page of another origin', () => {
  test.each([
    ['/sign-in/email', {}],
    ['/sign-up/email', {}],
    ['/sign-out', { cookie: 'better-auth.session_token=x' }],
    ['/change-password', { cookie: 'better-auth.session_token=x' }],
  ])('cannot use %s', async (path, headers) => {
    const body = { email: 'ada@example.com', password, name: 'Ada' };
    const answer = await askAuth(path, body, { origin: 'https://evil.example', ...headers });
    expect(answer.status).toBe(403);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });
});

describe('tries to sign in', () => {
  const { fromPrefix, atAccountFromPrefix, atAccount } = tryLimits['sign-in'];

  test('are throttled by account and address, also with the right password', async () => {
    const { email } = await signUp();
    const address = `${newNetwork()}::1`;
    const stranger = from(address);
    await tryWrongly(email, atAccountFromPrefix - 1, address);
    expect((await signIn(email, 'wrong password', stranger)).status).toBe(401);
    const refused = await signIn(email.toUpperCase(), password, stranger);
    expect(refused.status).toBe(429);
    expect(refused.headers.getSetCookie()).toEqual([]);
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(windowMs / 1000);
    const { email: another } = await signUp();
    expect((await signIn(another, password, stranger)).status).toBe(200);
  });

  test('that were counted by a clock that was far ahead hold nobody once it is set back', async () => {
    const { email } = await signUp();
    const address = `${newNetwork()}::1`;
    await tryWrongly(email, atAccountFromPrefix, address);
    await setBack(`sign-in|at|${digestOf(email)}|%`, -2 * 24 * 60 * 60 * 1000);
    expect((await signIn(email, password, from(address))).status).toBe(200);
  });

  test('of a stranger, however many, lock nobody out who comes from elsewhere', async () => {
    const { email } = await signUp();
    const stranger = `${newNetwork()}::1`;
    await tryWrongly(email, atAccountFromPrefix, stranger);
    // One more may come from anywhere. Those of the stranger, who is refused, do not use it up.
    await setCount(atAccountKey(email), atAccount - 1);
    await tryWrongly(email, 5, stranger);
    expect((await signIn(email, password, from(stranger))).status).toBe(429);
    expect((await signIn(email, password, from(`${newNetwork()}::1`))).status).toBe(200);
    // That the right password came from there makes the stranger no less strange.
    expect((await signIn(email, password, from(stranger))).status).toBe(429);
  });

  test('from everywhere together are throttled as well, far higher', async () => {
    expect(atAccount).toBeGreaterThanOrEqual(30 * atAccountFromPrefix);
    const { email } = await signUp();
    await tryWrongly(email, 1, `${newNetwork()}::1`);
    await setCount(atAccountKey(email), atAccount);
    expect((await signIn(email, password, from(`${newNetwork()}::1`))).status).toBe(429);
  });

  test('from everywhere do not keep out who has signed in from there before', async () => {
    const { email } = await signUp();
    const home = `${newNetwork()}::1`;
    expect((await signIn(email, password, from(home))).status).toBe(200);
    await tryWrongly(email, 1, `${newNetwork()}::1`);
    await setCount(atAccountKey(email), atAccount);
    expect((await signIn(email, password, from(`${newNetwork()}::1`))).status).toBe(429);
    expect((await signIn(email, password, from(home))).status).toBe(200);
    // A wrong password has its few tries there, as everywhere.
    await tryWrongly(email, atAccountFromPrefix, home);
    expect((await signIn(email, password, from(home))).status).toBe(429);
  });

  test('nor do they keep out who has signed up from there', async () => {
    const email = `${randomUUID()}@example.com`;
    const home = `${newNetwork()}::1`;
    expect((await askAuth('/sign-up/email', { email, password }, from(home))).status).toBe(200);
    await tryWrongly(email, 1, `${newNetwork()}::1`);
    await setCount(atAccountKey(email), atAccount);
    expect((await signIn(email, password, from(home))).status).toBe(200);
  });

  test('a place where only wrong passwords came from, or long ago a right one, is not known', async () => {
    const { email } = await signUp();
    const [home, stranger] = [`${newNetwork()}::1`, `${newNetwork()}::1`];
    await signIn(email, password, from(home));
    await signIn(email, 'wrong password', from(stranger));
    await setCount(atAccountKey(email), atAccount);
    expect((await signIn(email, password, from(stranger))).status).toBe(429);
    await setBack(`sign-in|known|${digestOf(email)}|%`, knownForMs);
    await setCount(atAccountKey(email), atAccount);
    expect((await signIn(email, password, from(home))).status).toBe(429);
  });

  test('of one IPv6 network of 64 bits count together, of two neighbours apart', async () => {
    const { email } = await signUp();
    const network = newNetwork();
    await tryWrongly(email, atAccountFromPrefix, `${network}::1`);
    expect((await signIn(email, password, from(`${network}:9:9:9:9`))).status).toBe(429);
    const { email: another } = await signUp();
    await tryWrongly(another, atAccountFromPrefix, '198.51.100.1');
    expect((await signIn(another, password, from('::ffff:198.51.100.1'))).status).toBe(429);
    expect((await signIn(another, password, from('198.51.100.2'))).status).toBe(200);
  });

  test('at the same time are counted one by one', async () => {
    const { email } = await signUp();
    const address = `${newNetwork()}::1`;
    await tryWrongly(email, atAccountFromPrefix - 2, address);
    const tries = Array.from({ length: 5 }, () => signIn(email, 'wrong', from(address)));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([401, 401, 429, 429, 429]);
  });

  test('are forgotten after the right password, and after a quarter of an hour', async () => {
    const { email } = await signUp();
    const address = `${newNetwork()}::1`;
    for (let round = 0; round < 2; round += 1) {
      await tryWrongly(email, atAccountFromPrefix - 1, address);
      expect((await signIn(email, password, from(address))).status).toBe(200);
    }
    await tryWrongly(email, atAccountFromPrefix + 1, address);
    const another = `${randomUUID()}@example.com`;
    await tryWrongly(another, 1, address);
    expect((await signIn(email, password, from(address))).status).toBe(429);
    await setBack(`${atAccountKey(email)}%`, windowMs);
    await setBack(`${atAccountKey(another)}%`, windowMs);
    expect((await signIn(email, password, from(address))).status).toBe(200);
    // Rows of others are cleared out with that.
    const key = { startsWith: atAccountKey(another) };
    expect(await database().signInThrottle.count({ where: { key } })).toBe(0);
  });

  test.each([
    ['ahead', windowMs],
    ['behind', -windowMs],
  ])(
    'are counted by the clock of the database, however far that of a process is %s',
    async (_, byMs) => {
      const { email } = await signUp();
      const address = `${newNetwork()}::1`;
      await tryWrongly(email, atAccountFromPrefix, address);
      stopClockAt(Date.now() + byMs);
      const refused = await signIn(email, password, from(address));
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(windowMs / 1000);
      await setBack(`${atAccountKey(email)}%`, windowMs);
      expect((await signIn(email, password, from(address))).status).toBe(200);
    },
  );

  test('are throttled by address, whatever the account', async () => {
    const network = newNetwork();
    const { email } = await signUp();
    await tryWrongly(`${randomUUID()}@example.com`, 1, `${network}::1`);
    await setCount(`sign-in|from|${network}%`, fromPrefix);
    expect((await signIn(email, password, from(`${network}::2`))).status).toBe(429);
    expect((await signIn(email, password, from(`${newNetwork()}::1`))).status).toBe(200);
  });

  test('are counted by what the proxies say, and not by what was sent to them', async () => {
    provideEnv({ TRUSTED_PROXIES: '203.0.113.0/24' });
    const { email } = await signUp();
    const address = `${newNetwork()}::1`;
    await tryWrongly(email, atAccountFromPrefix, `198.51.100.7, ${address}, 203.0.113.9`);
    const forged = await signIn(email, password, from(`198.51.100.8, ${address}, 203.0.113.5`));
    expect(forged.status).toBe(429);
  });
});

test('nobody is let in by a session that was signed out', async () => {
  const { cookie } = await signUp();
  const headers = new Headers({ cookie });
  expect(await sessionPrincipal(headers)).toMatchObject({ via: 'session' });
  expect((await askAuth('/sign-out', {}, { cookie })).status).toBe(200);
  expect(await sessionPrincipal(headers)).toBeNull();
});

test.each([
  ['no JSON', '{'],
  ['a list', []],
  ['no e-mail address', { password }],
  ['an address that is no text', { email: { $ne: '' }, password }],
  ['an address with a NUL', { email: 'a\0@example.com', password }],
  ['an address without end', { email: 'a'.repeat(321), password }],
  ['a password without end', { email: `${randomUUID()}@example.com`, password: 'x'.repeat(1001) }],
])('a body with %s is refused', async (_, body) => {
  const answer = await askAuth('/sign-in/email', body);
  expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'VALIDATION_ERROR' }]);
});

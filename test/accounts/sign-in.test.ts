import { randomUUID } from 'node:crypto';
import { GET, POST } from '@/app/api/auth/[...all]/route';
import { accountLimit, countSignIn } from '@/src/accounts/throttle';
import { provideEnv } from '@/src/env';

const password = 'correct horse battery';

/** Sends as a browser on our own page does, from an address of its own unless told otherwise. */
function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  return POST(
    new Request(`http://localhost/api/auth${path}`, {
      method: 'POST',
      headers: {
        host: 'localhost',
        origin: 'http://localhost',
        'content-type': 'application/json',
        'x-forwarded-for': `2001:db8:${randomUUID().slice(0, 4)}:${randomUUID().slice(0, 4)}::1`,
        ...headers,
      },
      body: JSON.stringify(body),
    }),
  );
}

async function newAccount(): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  expect((await post('/sign-up/email', { email, password, name: email })).status).toBe(200);
  return email;
}

const signIn = (email: string, tried: string, headers?: Record<string, string>) =>
  post('/sign-in/email', { email, password: tried }, headers);

afterEach(() => provideEnv({ SIGN_UP: '', PUBLIC_URL: '', TRUSTED_PROXIES: '' }));

describe('the cookie of a session', () => {
  test('is kept from scripts and from other sites', async () => {
    const [cookie] = (await signIn(await newAccount(), password)).headers.getSetCookie();
    expect(cookie).toMatch(/HttpOnly/i);
    expect(cookie).toMatch(/SameSite=Lax/i);
    expect(cookie).not.toMatch(/Secure/i);
  });

  test('is Secure behind https', async () => {
    const behindProxy = { origin: 'https://localhost', 'x-forwarded-proto': 'https' };
    const [cookie] = (
      await signIn(await newAccount(), password, behindProxy)
    ).headers.getSetCookie();
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
    const answer = await post(path, body, { origin: 'https://evil.example', ...headers });
    expect(answer.status).toBe(403);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });
});

describe('tries to sign in', () => {
  test('are throttled by account, from wherever they come, also with the right password', async () => {
    const email = await newAccount();
    for (let index = 0; index < accountLimit.tries; index += 1) {
      expect((await signIn(email, 'wrong password')).status).toBe(401);
    }
    const refused = await signIn(email.toUpperCase(), password);
    expect(refused.status).toBe(429);
    expect(refused.headers.getSetCookie()).toEqual([]);
    expect((await signIn(await newAccount(), password)).status).toBe(200);
  });

  test('at the same time are counted one by one', async () => {
    const email = await newAccount();
    const tries = Array.from({ length: accountLimit.tries + 5 }, () => signIn(email, 'wrong'));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(accountLimit.tries);
  });

  test('are forgotten after the right password', async () => {
    const email = await newAccount();
    for (let round = 0; round < 2; round += 1) {
      for (let index = 0; index < accountLimit.tries - 1; index += 1) {
        // As a try does, but for the slow look at a wrong password.
        await countSignIn(email, Date.now());
      }
      expect((await signIn(email, password)).status).toBe(200);
    }
  });

  test('are throttled by address, whatever the account', async () => {
    const from = { 'x-forwarded-for': '2001:db8:7:7::1' };
    const statuses: number[] = [];
    for (let index = 0; index < 21; index += 1) {
      statuses.push((await signIn(`${randomUUID()}@example.com`, 'wrong', from)).status);
    }
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(401));
    expect(statuses[20]).toBe(429);
  });
});

describe('with SIGN_UP=closed', () => {
  test('nobody makes another account, and is told why', async () => {
    await newAccount();
    provideEnv({ SIGN_UP: 'closed' });
    const email = `${randomUUID()}@example.com`;
    const answer = await post('/sign-up/email', { email, password, name: email });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({
      message: 'Sign-up is closed. Ask whoever runs the service.',
    });
    expect((await signIn(email, password)).status).toBe(401);
  });
});

test('nobody signs in to a session that was signed out', async () => {
  const answer = await signIn(await newAccount(), password);
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const session = () =>
    GET(new Request('http://localhost/api/auth/get-session', { headers: { cookie } }));
  expect(await (await session()).json()).toMatchObject({ user: {} });
  expect((await post('/sign-out', {}, { cookie })).status).toBe(200);
  expect(await (await session()).json()).toBeNull();
});

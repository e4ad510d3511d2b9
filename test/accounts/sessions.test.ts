import { randomUUID } from 'node:crypto';
import { closeAccount } from '@/src/accounts/closing';
import { describeDevice, sessionsPerAccount, userAgentCharacters } from '@/src/accounts/sessions';
import { database } from '@/src/database/client';
import { provideEnv } from '@/src/env';
import { stopClockAt } from '../helpers/clock';
import { askAuth, callTrpc, cookieOf, password, signUp } from '../helpers/session';

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** Another browser of the same person. */
async function signInFrom(email: string, headers: Record<string, string>) {
  const answer = await askAuth('/sign-in/email', { email, password }, headers);
  return cookieOf(answer);
}

const list = async (cookie: string) =>
  (await callTrpc('query', 'account.sessions.list', undefined, { cookie })).data;
const isSignedIn = async (cookie: string) =>
  (await callTrpc('query', 'account.get', undefined, { cookie })).status === 200;

test('sessions are listed with device, address and time, and this one is marked', async () => {
  const { email, cookie } = await signUp();
  const other = await signInFrom(email, {
    'user-agent': firefox,
    'x-forwarded-for': '198.51.100.7',
  });
  const sessions = await list(other);
  expect(sessions).toHaveLength(2);
  expect(sessions.find((one: { is_current: boolean }) => one.is_current)).toEqual({
    id: expect.any(String),
    device: 'Firefox on Linux',
    address: '198.51.100.7',
    created_at: expect.stringMatching(/^\d{4}-.*\+00:00$/),
    last_seen_at: expect.stringMatching(/^\d{4}-.*\+00:00$/),
    is_current: true,
  });
  expect(await list(cookie)).toMatchObject([{ is_current: false }, { is_current: true }]);
  expect(JSON.stringify(sessions)).not.toContain(other.split('=')[1]?.split('.')[0]);
});

describe('the address of a session', () => {
  afterEach(() => provideEnv({ TRUSTED_PROXIES: '' }));

  // As history, log and throttle have it.
  test.each([
    ['198.51.100.7:49152, 203.0.113.9:443', '198.51.100.7'],
    ['192.0.2.1, [2001:db8:a:b::7]:49152, 203.0.113.9', '2001:db8:a:b::/64'],
    ['192.0.2.1, 2001:db8:a:b::7, ::ffff:203.0.113.9', '2001:db8:a:b::/64'],
    ['unknown, 203.0.113.9', null],
  ])('is the one in front of the proxies, with or without a port: %s', async (chain, address) => {
    provideEnv({ TRUSTED_PROXIES: '::ffff:203.0.113.0/120' });
    const { email } = await signUp();
    const cookie = await signInFrom(email, { 'x-forwarded-for': chain });
    const sessions = await list(cookie);
    expect(sessions.find((one: { is_current: boolean }) => one.is_current).address).toBe(address);
  });
});

test('an expired session is not listed', async () => {
  const { accountId, cookie } = await signUp();
  const expiresAt = new Date(Date.now() - 1000);
  await database().session.create({ data: { userId: accountId, token: randomUUID(), expiresAt } });
  expect(await list(cookie)).toHaveLength(1);
});

test('one session is ended, and the others go on', async () => {
  const { email, cookie } = await signUp();
  const [one, two] = [await signInFrom(email, {}), await signInFrom(email, {})];
  const { id } = (await list(one)).find((listed: { is_current: boolean }) => listed.is_current);
  await callTrpc('mutation', 'account.sessions.end', { id }, { cookie });
  expect([await isSignedIn(one), await isSignedIn(two), await isSignedIn(cookie)]).toEqual([
    false,
    true,
    true,
  ]);
});

test('all others are ended at once, and none of another account', async () => {
  const { email, cookie } = await signUp();
  const stranger = await signUp();
  const others = [await signInFrom(email, {}), await signInFrom(email, {})];
  const { data } = await callTrpc('mutation', 'account.sessions.endOthers', undefined, { cookie });
  expect(data).toEqual({ ended: 2 });
  expect(await Promise.all(others.map(isSignedIn))).toEqual([false, false]);
  expect([await isSignedIn(cookie), await isSignedIn(stranger.cookie)]).toEqual([true, true]);
});

test('a sign-in that was under way as the account is closed opens nothing', async () => {
  const { accountId, cookie } = await signUp();
  const session = await database().session.findFirstOrThrow({ where: { userId: accountId } });
  expect(await closeAccount(accountId)).toBe(true);
  await database().session.create({ data: session });
  const { status } = await callTrpc('query', 'account.get', undefined, { cookie });
  expect(status).toBe(401);
});

test('a session is noted as seen every ten minutes, and not with every request', async () => {
  const { cookie } = await signUp();
  const seen = async () => (await list(cookie))[0].last_seen_at;
  const first = await seen();
  expect(await seen()).toBe(first);
  stopClockAt(Date.now() + 11 * 60_000);
  await list(cookie);
  const second = await seen();
  expect(Date.parse(second) - Date.parse(first)).toBeGreaterThan(10 * 60_000);
  expect(await seen()).toBe(second);
});

test('a sign-in removes what has expired, and of more than an account may have the one used longest ago', async () => {
  const { accountId, email, cookie } = await signUp();
  const [hourAgo, inAnHour] = [-1, 1].map((hours) => new Date(Date.now() + hours * 3_600_000));
  const add = (count: number, expiresAt = hourAgo) =>
    database().$executeRaw`
      INSERT INTO sessions (user_id, token, expires_at)
      SELECT ${accountId}::uuid, gen_random_uuid()::text, ${expiresAt}
      FROM generate_series(1, ${count}::int)`;
  await add(5);
  await add(sessionsPerAccount + 3, inAnHour);
  const stranger = await signUp();
  const other = await signInFrom(email, {});
  const where = { userId: accountId };
  expect(await database().session.count({ where })).toBe(sessionsPerAccount);
  const hasExpired = { ...where, expiresAt: { lt: new Date() } };
  expect(await database().session.count({ where: hasExpired })).toBe(0);
  expect(await Promise.all([cookie, other, stranger.cookie].map(isSignedIn))).toEqual([
    true,
    true,
    true,
  ]);
});

test('of what a browser says of itself the beginning is kept', async () => {
  const { accountId, email } = await signUp();
  await signInFrom(email, { 'user-agent': firefox + 'x'.repeat(15_000) });
  const kept = await database().session.findMany({
    where: { userId: accountId },
    select: { userAgent: true },
  });
  expect(kept.map(({ userAgent }) => userAgent?.length ?? 0).sort()).toEqual([
    0,
    userAgentCharacters,
  ]);
});

test.each([
  [firefox, 'Firefox on Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    'Safari on iOS',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
    'Microsoft Edge on Windows',
  ],
  [null, 'Unknown device'],
  ['', 'Unknown device'],
  ['<script>alert(1)</script>', 'Unknown device'],
  ['('.repeat(100_000), 'Unknown device'],
])('%.40j is %s', (userAgent, words) => {
  expect(describeDevice(userAgent)).toBe(words);
});

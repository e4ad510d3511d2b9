import { listAccounts, setPlan } from '@/src/accounts/accounts';
import { isSignUpOpen } from '@/src/accounts/auth/auth';
import { accountMails, queueReset } from '@/src/accounts/mails';
import { setMode } from '@/src/accounts/test-account';
import { database } from '@/src/database/client';
import { provideEnv } from '@/src/env';
import { createAccount, createKey } from '../helpers/accounts';
import { client } from '../helpers/client';
import { askAuth, callTrpc, password, signUp } from '../helpers/session';
import { intoTestMode, signUpInTestMode } from '../helpers/test-mode';

const testAccountsOf = (liveUserId: string) => database().user.findMany({ where: { liveUserId } });

describe('switching', () => {
  test('makes the test account when it is first asked for, and one alone', async () => {
    const person = await signUp();
    expect(await testAccountsOf(person.accountId)).toEqual([]);
    const { cookie } = person;
    const switches = Array.from({ length: 8 }, () =>
      callTrpc('mutation', 'testMode.set', { mode: 'test' }, { cookie }),
    );
    for (const { data } of await Promise.all(switches)) expect(data).toEqual({ mode: 'test' });
    const [made, ...others] = await testAccountsOf(person.accountId);
    expect(others).toEqual([]);
    await callTrpc('mutation', 'testMode.set', { mode: 'live' }, { cookie });
    await intoTestMode(person);
    expect((await testAccountsOf(person.accountId)).map(({ id }) => id)).toEqual([made?.id]);
  });

  test('is for the session: other browsers of the person show what they did', async () => {
    const { person, test } = await signUpInTestMode();
    const { email } = person;
    const elsewhere = await askAuth('/sign-in/email', { email, password });
    const cookie = elsewhere.headers
      .getSetCookie()
      .map((line) => line.split(';', 1)[0])
      .join('; ');
    await callTrpc('mutation', 'spaces.create', { name: 'Of test mode' }, test.headers);
    const { data } = await callTrpc('query', 'spaces.list', {}, { cookie });
    expect(data.data).toEqual([]);
  });

  test('is for a signed-in person, and of no account without a session', async () => {
    const { error } = await callTrpc('mutation', 'testMode.set', { mode: 'test' });
    expect(error?.data.code).toBe('UNAUTHORIZED');
    const accountId = await createAccount();
    const other = await signUpInTestMode();
    const session = await database().session.findFirstOrThrow({
      where: { userId: other.person.accountId },
    });
    // The session of another.
    expect(await setMode({ id: session.id, ownerId: accountId, mode: 'test' })).toBe('live');
    const after = await database().session.findFirstOrThrow({ where: { id: session.id } });
    expect(after.testAccountId).toBe(other.test.accountId);
  });

  test.each([{ mode: 'both' }, {}, { mode: ['test'] }])('refuses %j', async (input) => {
    const { cookie } = await signUp();
    const { error } = await callTrpc('mutation', 'testMode.set', input, { cookie });
    expect(error?.data.code).toBe('VALIDATION_ERROR');
  });
});

describe('a page that shows the other mode than its session is in', () => {
  test.each([
    ['query', 'spaces.list', {}],
    ['mutation', 'spaces.create', { name: 'Misplaced' }],
    ['query', 'account.get', undefined],
  ] as const)(
    'is refused a %s of %s, and nothing is written in either',
    async (type, name, input) => {
      const { person, test } = await signUpInTestMode();
      const { cookie } = person;
      // One from before there were modes says nothing, and shows what is live.
      const saying: Record<string, string>[] = [{ cookie }, { cookie, 'x-shown-mode': 'live' }];
      for (const headers of saying) {
        const { status, error } = await callTrpc(type, name, input, headers);
        expect([status, error?.data.code]).toEqual([409, 'MODE_CHANGED']);
      }
      await callTrpc('mutation', 'testMode.set', { mode: 'live' }, test.headers);
      const { error } = await callTrpc(type, name, input, test.headers);
      expect(error?.data.code).toBe('MODE_CHANGED');
      const accounts = [person.accountId, test.accountId];
      expect(await database().space.count({ where: { user_id: { in: accounts } } })).toBe(0);
    },
  );

  test('may switch back, and goes on as before', async () => {
    const { person } = await signUpInTestMode();
    const { cookie } = person;
    const set = await callTrpc('mutation', 'testMode.set', { mode: 'live' }, { cookie });
    expect(set.data).toEqual({ mode: 'live' });
    expect((await callTrpc('query', 'spaces.list', {}, { cookie })).status).toBe(200);
  });

  test('of an upload is refused as well', async () => {
    const { person } = await signUpInTestMode();
    const { error } = await callTrpc('mutation', 'uploads.avatar', {}, { cookie: person.cookie });
    expect(error?.data.code).toBe('MODE_CHANGED');
  });
});

describe('settings mean the person in both modes', () => {
  test('the account, its sessions and its mails', async () => {
    const { person, test } = await signUpInTestMode();
    const account = await callTrpc('query', 'account.get', undefined, test.headers);
    expect(account.data.email).toBe(person.email);
    const sessions = await callTrpc('query', 'account.sessions.list', undefined, test.headers);
    expect(sessions.data).toMatchObject([{ is_current: true }]);
    expect((await callTrpc('query', 'account.mail', undefined, test.headers)).status).toBe(200);
  });

  test('password and address', async () => {
    const { person, test } = await signUpInTestMode();
    const newEmail = `new-${person.email}`;
    const changed = await askAuth('/change-email', { newEmail, password }, test.headers);
    expect(changed.status).toBe(200);
    const { email } = await database().user.findUniqueOrThrow({ where: { id: person.accountId } });
    expect(email).toBe(newEmail);
    const next = 'another horse battery staple';
    const passwords = { currentPassword: password, newPassword: next };
    expect((await askAuth('/change-password', passwords, test.headers)).status).toBe(200);
    expect((await askAuth('/sign-in/email', { email, password: next })).status).toBe(200);
  });

  test('deletion, which closes the test account with it, at once', async () => {
    const { person, test } = await signUpInTestMode();
    const key = await createKey(test.accountId);
    const { email } = person;
    const answer = await askAuth('/delete-account', { email, password }, test.headers);
    expect(answer.status).toBe(200);
    const rows = await database().user.findMany({
      where: { id: { in: [person.accountId, test.accountId] } },
    });
    expect(new Set(rows.map(({ closedAt }) => closedAt?.toISOString())).size).toBe(1);
    expect(rows.every(({ closedAt }) => closedAt !== null)).toBe(true);
    expect((await client(key).get('/spaces')).status).toBe(401);
    expect((await callTrpc('query', 'spaces.list', {}, test.headers)).status).toBe(401);
  });
});

describe('a test account', () => {
  test('cannot be signed in to, signed up for, or given a password', async () => {
    const { test } = await signUpInTestMode();
    const where = { id: test.accountId };
    const { email } = await database().user.findUniqueOrThrow({ where });
    // Its address is none that these take.
    expect((await askAuth('/sign-in/email', { email, password })).status).toBe(400);
    expect((await askAuth('/sign-up/email', { email, password, name: 'X' })).status).toBe(400);
    expect(await database().signInMethod.count({ where: { userId: test.accountId } })).toBe(0);
    expect(await database().session.count({ where: { userId: test.accountId } })).toBe(0);
  });

  test('is mailed no link to set a password, whoever asks for one', async () => {
    const { test } = await signUpInTestMode();
    const { email } = await database().user.findUniqueOrThrow({ where: { id: test.accountId } });
    await queueReset(email);
    const { id } = await database().mail.findFirstOrThrow({ where: { recipient: email } });
    const mail = { id, accountId: null, accountEmail: null, recipient: email, data: {} };
    expect(await accountMails['reset-password'](mail, 'http://localhost')).toBeUndefined();
    expect(await database().accountLink.count({ where: { userId: test.accountId } })).toBe(0);
  });

  test('is in no list of accounts and no count of them', async () => {
    const { person, test } = await signUpInTestMode();
    const ids: string[] = [];
    for await (const { id } of listAccounts()) ids.push(id);
    expect(ids).toContain(person.accountId);
    expect(ids).not.toContain(test.accountId);
  });

  test('has the plan of its account, from the next request on', async () => {
    const { person, test } = await signUpInTestMode();
    const api = client(await createKey(test.accountId));
    expect((await api.get('/spaces')).status).toBe(200);
    await setPlan(person.accountId, 'free');
    expect((await api.get('/spaces')).body.error.code).toBe('API_KEY_DISABLED');
    await setPlan(person.accountId, 'paid');
    expect((await api.get('/spaces')).status).toBe(200);
  });

  test('begins with the plan of its account', async () => {
    const person = await signUp();
    await setPlan(person.accountId, 'free');
    const { accountId } = await intoTestMode(person);
    const { plan } = await database().user.findUniqueOrThrow({ where: { id: accountId } });
    expect(plan).toBe('free');
  });

  test('is closed whoever closes its account', async () => {
    const { person, test } = await signUpInTestMode();
    await database().$executeRaw`
      UPDATE users SET closed_at = clock_timestamp() WHERE id = ${person.accountId}::uuid`;
    const { closedAt } = await database().user.findUniqueOrThrow({ where: { id: test.accountId } });
    expect(closedAt).not.toBeNull();
  });

  test('is not made for an account that is closed', async () => {
    const { accountId: ownerId } = await signUp();
    const { id } = await database().session.findFirstOrThrow({ where: { userId: ownerId } });
    await database().user.update({ where: { id: ownerId }, data: { closedAt: new Date() } });
    expect(await setMode({ id, ownerId, mode: 'test' })).toBe('live');
    expect(await testAccountsOf(ownerId)).toEqual([]);
  });
});

test('with closed sign-up, test accounts are nobody', async () => {
  provideEnv({ SIGN_UP: 'closed' });
  const find = jest.spyOn(database().user, 'findFirst');
  await isSignUpOpen();
  const where = { closedAt: null, liveUserId: null };
  expect(find).toHaveBeenCalledWith(expect.objectContaining({ where }));
  find.mockRestore();
  provideEnv({ SIGN_UP: 'open' });
});

import { randomUUID } from 'node:crypto';
import { database } from '@/src/database/client';
import { failChanges, mendChanges } from '../helpers/failing-changes';
import { withOwnDatabase } from '../helpers/own-database';
import { askAuth, cookieOf, password, signUp } from '../helpers/session';

const another = 'another battery staple';

// Before the accounts of a test are removed.
afterEach(mendChanges);
withOwnDatabase();

const signIn = (email: string, typed: string) =>
  askAuth('/sign-in/email', { email, password: typed });

describe('where the database fails', () => {
  test('as an account is closed, its owner is still signed in, and can ask again', async () => {
    const { email, cookie, accountId } = await signUp();
    const close = () => askAuth('/delete-account', { email, password }, { cookie });
    await failChanges('UPDATE', 'users', { when: 'NEW.closed_at IS NOT NULL' });
    expect((await close()).status).toBe(500);
    await mendChanges();
    const answer = await close();
    expect(answer.status).toBe(200);
    expect(cookieOf(answer)).toContain('better-auth.session_token=;');
    const { closedAt } = await database().user.findUniqueOrThrow({ where: { id: accountId } });
    expect(closedAt).not.toBeNull();
  });

  test('once a password is changed, it is told that it is, and to sign in', async () => {
    const { email, cookie } = await signUp();
    const passwords = { currentPassword: password, newPassword: another };
    await failChanges('INSERT', 'sessions');
    const answer = await askAuth('/change-password', passwords, { cookie });
    expect([answer.status, (await answer.json()).code]).toEqual([422, 'PASSWORD_CHANGED']);
    await mendChanges();
    expect((await signIn(email, another)).status).toBe(200);
  });

  test('between the rows of a sign-up, the address can sign up again', async () => {
    const email = `${randomUUID()}@example.com`;
    const ask = () => askAuth('/sign-up/email', { email, password });
    await failChanges('INSERT', 'sign_in_methods');
    expect((await ask()).status).toBe(500);
    await mendChanges();
    expect((await ask()).status).toBe(200);
    expect((await signIn(email, password)).status).toBe(200);
  });

  test('as an account is made, this is no refusal', async () => {
    const email = `${randomUUID()}@example.com`;
    await failChanges('INSERT', 'users');
    expect((await askAuth('/sign-up/email', { email, password })).status).toBe(500);
  });

  test('once an account is made, it is told that it is, and to sign in', async () => {
    const email = `${randomUUID()}@example.com`;
    await failChanges('INSERT', 'sessions');
    const answer = await askAuth('/sign-up/email', { email, password });
    expect([answer.status, (await answer.json()).code]).toEqual([422, 'ACCOUNT_MADE']);
    await mendChanges();
    expect((await signIn(email, password)).status).toBe(200);
  });

  test('as it is noted who has signed in, they have', async () => {
    const { email } = await signUp();
    await failChanges('INSERT', 'sign_in_throttles', { when: "NEW.key LIKE '%|known|%'" });
    expect((await signIn(email, password)).status).toBe(200);
    expect(await database().session.count()).toBe(2);
  });

  test('as the oldest sessions of many end, the new one begins', async () => {
    const { email, accountId } = await signUp();
    await database().session.updateMany({
      where: { userId: accountId },
      data: { expiresAt: new Date(0) },
    });
    await failChanges('DELETE', 'sessions');
    expect((await signIn(email, password)).status).toBe(200);
  });
});

test('a changed password is told where the address is another by then, with which no session begins', async () => {
  const { cookie } = await signUp();
  // As if a link to confirm it was used just then.
  await database().$executeRaw`
    CREATE FUNCTION change_address() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      UPDATE users SET email = id || '@example.com' WHERE id = NEW.user_id;
      RETURN NEW;
    END $$`;
  await database().$executeRaw`
    CREATE TRIGGER change_address AFTER UPDATE ON sign_in_methods
    FOR EACH ROW EXECUTE FUNCTION change_address()`;
  const passwords = { currentPassword: password, newPassword: another };
  const answer = await askAuth('/change-password', passwords, { cookie });
  await database().$executeRaw`DROP FUNCTION change_address CASCADE`;
  expect([answer.status, (await answer.json()).code]).toEqual([422, 'PASSWORD_CHANGED']);
});

import { randomUUID } from 'node:crypto';
import { database } from '@/src/database/client';
import { Prisma } from '@/src/database/generated/client';
import { askAuth, cookieOf, password, signUp } from '../helpers/session';
import { withOwnDatabase } from '../webhooks/own-database';

const another = 'another battery staple';

/** Has the database fail at each change of that kind in a table, until the test is over. */
async function fail(change: 'INSERT' | 'UPDATE' | 'DELETE', table: string, when = 'true') {
  await database().$executeRaw`
    CREATE FUNCTION fail_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'cut' USING ERRCODE = '08006'; END $$`;
  await database().$executeRaw(
    Prisma.raw(`
    CREATE TRIGGER fail_change BEFORE ${change} ON ${table}
    FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION fail_change()`),
  );
}

async function mend(): Promise<void> {
  await database().$executeRaw`DROP FUNCTION IF EXISTS fail_change CASCADE`;
}

// Before the accounts of a test are removed.
afterEach(mend);
withOwnDatabase();

const signIn = (email: string, typed: string) =>
  askAuth('/sign-in/email', { email, password: typed });

describe('where the database fails', () => {
  test('as an account is closed, its owner is still signed in, and can ask again', async () => {
    const { email, cookie, accountId } = await signUp();
    const close = () => askAuth('/delete-account', { email, password }, { cookie });
    await fail('UPDATE', 'users', 'NEW.closed_at IS NOT NULL');
    expect((await close()).status).toBe(500);
    await mend();
    const answer = await close();
    expect(answer.status).toBe(200);
    expect(cookieOf(answer)).toContain('better-auth.session_token=;');
    const { closedAt } = await database().user.findUniqueOrThrow({ where: { id: accountId } });
    expect(closedAt).not.toBeNull();
  });

  test('once a password is changed, it is told that it is, and to sign in', async () => {
    const { email, cookie } = await signUp();
    const passwords = { currentPassword: password, newPassword: another };
    await fail('INSERT', 'sessions');
    const answer = await askAuth('/change-password', passwords, { cookie });
    expect([answer.status, (await answer.json()).code]).toEqual([422, 'PASSWORD_CHANGED']);
    await mend();
    expect((await signIn(email, another)).status).toBe(200);
  });

  test('between the rows of a sign-up, the address can sign up again', async () => {
    const email = `${randomUUID()}@example.com`;
    const ask = () => askAuth('/sign-up/email', { email, password });
    await fail('INSERT', 'sign_in_methods');
    expect((await ask()).status).toBe(500);
    await mend();
    expect((await ask()).status).toBe(200);
    expect((await signIn(email, password)).status).toBe(200);
  });

  test('as an account is made, this is no refusal', async () => {
    const email = `${randomUUID()}@example.com`;
    await fail('INSERT', 'users');
    expect((await askAuth('/sign-up/email', { email, password })).status).toBe(500);
  });

  test('once an account is made, it is told that it is, and to sign in', async () => {
    const email = `${randomUUID()}@example.com`;
    await fail('INSERT', 'sessions');
    const answer = await askAuth('/sign-up/email', { email, password });
    expect([answer.status, (await answer.json()).code]).toEqual([422, 'ACCOUNT_MADE']);
    await mend();
    expect((await signIn(email, password)).status).toBe(200);
  });

  test('as it is noted who has signed in, they have', async () => {
    const { email } = await signUp();
    await fail('INSERT', 'sign_in_throttles', "NEW.key LIKE '%|known|%'");
    expect((await signIn(email, password)).status).toBe(200);
    expect(await database().session.count()).toBe(2);
  });

  test('as the oldest sessions of many end, the new one begins', async () => {
    const { email, accountId } = await signUp();
    await database().session.updateMany({
      where: { userId: accountId },
      data: { expiresAt: new Date(0) },
    });
    await fail('DELETE', 'sessions');
    expect((await signIn(email, password)).status).toBe(200);
  });
});

import { keepIfAlone } from '@/src/accounts/auth/auth';
import { closeAccount } from '@/src/accounts/closing';
import { database, pool } from '@/src/database/client';
import { provideEnv } from '@/src/env';
import { createAccount } from '../helpers/accounts';
import { onServer, untilWaiting, withHolder } from '../helpers/locks';
import { withOwnDatabase } from '../helpers/own-database';
import { askAuth, password } from '../helpers/session';

withOwnDatabase();

beforeAll(() => provideEnv({ SIGN_UP: 'closed' }));

test('with SIGN_UP=closed nobody signs up once there is an account, and is told why', async () => {
  const email = `${await createAccount()}@closed.example`;
  const response = await askAuth('/sign-up/email', { email, password, name: 'A' });
  expect(response.status).toBe(403);
  expect(response.headers.getSetCookie()).toEqual([]);
  expect(await response.json()).toMatchObject({
    message: expect.stringContaining('Sign-up is closed.'),
  });
  expect(await database().user.findUnique({ where: { email } })).toBeNull();
});

test('with SIGN_UP=closed the answer does not tell whether an address is known', async () => {
  const known = `${await createAccount()}@example.com`;
  const unknown = `unknown-${known}`;
  const answers = await Promise.all(
    [known, unknown].map(async (email) => {
      const answer = await askAuth('/sign-up/email', { email, password, name: 'A' });
      return { status: answer.status, body: await answer.json() };
    }),
  );
  expect(answers[0]).toEqual(answers[1]);
});

test('with SIGN_UP=closed one of several who sign up at once has an account', async () => {
  const emails = Array.from({ length: 5 }, (_, index) => `${index}@closed.example`);
  const answers = await Promise.all(
    emails.map((email) => askAuth('/sign-up/email', { email, password, name: 'A' })),
  );
  const accepted = emails.filter((_, index) => answers[index]?.status === 200);
  expect(accepted).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
  }
  const users = await database().user.findMany();
  expect(users.map(({ email }) => email)).toEqual(accepted);
  const [email] = accepted;
  expect((await askAuth('/sign-in/email', { email, password })).status).toBe(200);
});

test('with SIGN_UP=closed the next one signs up once the only account is closed', async () => {
  await closeAccount(await createAccount());
  const email = 'next@closed.example';
  expect((await askAuth('/sign-up/email', { email, password, name: 'A' })).status).toBe(200);
});

onServer('of two that are made at the same moment, neither is removed for the other', async () => {
  const ids = [await createAccount(), await createAccount()];
  await withHolder(async (holder) => {
    await holder.query('SELECT FROM users WHERE id = ANY ($1::uuid[]) FOR UPDATE', [ids]);
    const kept = Promise.all(ids.map(keepIfAlone));
    await untilWaiting(pool(), 2);
    await holder.query('COMMIT');
    expect((await kept).sort()).toEqual([false, true]);
  });
});

import type * as databaseClient from '@/src/database/client';
import { database } from '@/src/database/client';
import { askAuth, password, signUp } from '../helpers/session';
import { openedLink } from './link';

let isLost = false;

// Its connection is cut once a password or an address is set, and before that is answered.
jest.mock('@/src/database/client', () => {
  const actual = jest.requireActual<typeof databaseClient>('@/src/database/client');
  return {
    ...actual,
    database: () =>
      new Proxy(actual.database(), {
        get(client, name) {
          if (name !== '$queryRaw') return Reflect.get(client, name);
          return async (text: TemplateStringsArray, ...values: unknown[]) => {
            const rows = await client.$queryRaw(text, ...values);
            if (isLost && /SET (password|email)/.test(text.join())) throw new Error('cut');
            return rows;
          };
        },
      }),
  };
});

beforeEach(() => {
  isLost = true;
});
afterEach(() => {
  isLost = false;
});

const another = 'another battery staple';

const signIn = (email: string) => askAuth('/sign-in/email', { email, password: another });

test('a password that is set by a link is told to be, also where the database could not say so', async () => {
  const { accountId, email } = await signUp();
  const token = await openedLink(accountId, 'reset-password');
  const answer = await askAuth('/reset-password', { token, newPassword: another });
  expect(answer.status).toBe(200);
  expect((await signIn(email)).status).toBe(200);
  expect(await database().accountLink.count({ where: { userId: accountId } })).toBe(0);
});

test('so is one that is changed', async () => {
  const { email, cookie } = await signUp();
  const passwords = { currentPassword: password, newPassword: another };
  expect((await askAuth('/change-password', passwords, { cookie })).status).toBe(200);
  expect((await signIn(email)).status).toBe(200);
});

test('an address that a link confirms is told to be, also where the database could not say so', async () => {
  const { accountId } = await signUp();
  const token = await openedLink(accountId, 'confirm-email');
  const confirm = () => askAuth('/confirm-email', { token });
  expect((await confirm()).status).toBe(200);
  const where = { id: accountId };
  expect(await database().user.findUnique({ where })).toMatchObject({
    email: `${token}@example.com`,
    emailVerified: true,
  });
  expect((await confirm()).status).toBe(410);
});

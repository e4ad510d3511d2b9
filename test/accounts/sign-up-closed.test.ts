import { database } from '@/src/database/client';
import { provideEnv } from '@/src/env';
import { createAccount } from '../helpers/accounts';
import { askAuth, password } from '../helpers/session';

beforeAll(() => provideEnv({ SIGN_UP: 'closed' }));

test('with SIGN_UP=closed nobody signs up once there is an account', async () => {
  const email = `${await createAccount()}@closed.example`;
  const response = await askAuth('/sign-up/email', { email, password, name: 'A' });
  expect(response.status).toBe(403);
  expect(response.headers.getSetCookie()).toEqual([]);
  expect(await database().user.findUnique({ where: { email } })).toBeNull();
});

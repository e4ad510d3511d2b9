import { randomUUID } from 'node:crypto';
import { resetPassword, setPassword } from '@/src/accounts/password';
import { database } from '@/src/database/client';
import { askAuth, password } from '../helpers/session';
import { openedLink } from './link';

const another = 'another battery staple';

/** What a sign-up of an earlier version has left whose process, or connection, ended between its two rows. */
async function halfMade() {
  const email = `${randomUUID()}@example.com`;
  expect((await askAuth('/sign-up/email', { email, password })).status).toBe(200);
  const { id } = await database().user.findUniqueOrThrow({ where: { email } });
  await database().signInMethod.deleteMany({ where: { userId: id } });
  expect((await askAuth('/sign-up/email', { email, password })).status).toBe(422);
  return { id, email };
}

test.each<[by: string, set: (accountId: string) => Promise<unknown>]>([
  ['whoever runs the service', (id) => setPassword(id, another)],
  ['a mailed link', async (id) => resetPassword(await openedLink(id, 'reset-password'), another)],
])('an account that was left without a password gets one from %s', async (_, set) => {
  const { id, email } = await halfMade();
  await set(id);
  expect((await askAuth('/sign-in/email', { email, password: another })).status).toBe(200);
  await setPassword(id, password);
  expect((await askAuth('/sign-in/email', { email, password: another })).status).toBe(401);
  expect((await askAuth('/sign-in/email', { email, password })).status).toBe(200);
  expect(await database().signInMethod.count({ where: { userId: id } })).toBe(1);
});

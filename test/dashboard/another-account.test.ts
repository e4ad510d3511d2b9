import { database } from '@/src/database/client';
import { accountHeader } from '@/src/mode';
import { askAuth, callTrpc, password, signUp } from '../helpers/session';

const newPassword = 'another battery staple';

/** Of a page that shows one account, in a browser where another one is signed in by now. */
async function openStalePage() {
  const [shown, present] = [await signUp(), await signUp()];
  const headers = { cookie: present.cookie, [accountHeader]: shown.accountId };
  return { shown, present, headers };
}

describe('a page that shows another account than the one that is signed in', () => {
  test.each([
    ['query', 'spaces.list', {}],
    ['mutation', 'spaces.create', { name: 'Misplaced' }],
    ['query', 'account.get', undefined],
  ] as const)(
    'is refused a %s of %s, as if signed out, and nothing is written in either',
    async (type, name, input) => {
      const { shown, present, headers } = await openStalePage();
      const { status, error } = await callTrpc(type, name, input, headers);
      expect([status, error?.data.code]).toEqual([401, 'UNAUTHORIZED']);
      const accounts = [shown.accountId, present.accountId];
      expect(await database().space.count({ where: { user_id: { in: accounts } } })).toBe(0);
    },
  );

  test('changes no password, though both accounts have the same', async () => {
    const { present, headers } = await openStalePage();
    const body = { currentPassword: password, newPassword };
    expect((await askAuth('/change-password', body, headers)).status).toBe(401);
    const { email } = present;
    expect((await askAuth('/sign-in/email', { email, password })).status).toBe(200);
  });

  test('ends no session of the one that is signed in', async () => {
    const { present, headers } = await openStalePage();
    const answer = await askAuth('/sign-out', {}, headers);
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []]);
    const { cookie } = present;
    expect((await callTrpc('query', 'spaces.list', {}, { cookie })).status).toBe(200);
    const own = { cookie, [accountHeader]: present.accountId };
    expect((await askAuth('/sign-out', {}, own)).status).toBe(200);
    expect((await callTrpc('query', 'spaces.list', {}, { cookie })).status).toBe(401);
  });

  test('signs in again, to whichever', async () => {
    const { shown, headers } = await openStalePage();
    const { email } = shown;
    expect((await askAuth('/sign-in/email', { email, password }, headers)).status).toBe(200);
  });
});

test('a page that shows the account that is signed in, or says nothing, is answered', async () => {
  const { accountId, cookie } = await signUp();
  const saying: Record<string, string>[] = [{ cookie }, { cookie, [accountHeader]: accountId }];
  for (const headers of saying) {
    expect((await callTrpc('query', 'spaces.list', {}, headers)).status).toBe(200);
  }
});

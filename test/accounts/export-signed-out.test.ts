import { GET } from '@/app/api/account/export/route';
import { closeAccount } from '@/src/accounts/closing';
import { database } from '@/src/database/client';
import { askAuth, cookieOf, password, signUp } from '../helpers/session';

const ask = (cookie: string) =>
  GET(
    new Request('http://localhost/api/account/export', { headers: { host: 'localhost', cookie } }),
  );

afterEach(() => jest.restoreAllMocks());

/** An export of which the first piece was read, ten seconds ago. */
async function begun() {
  const person = await signUp();
  const reader = (await ask(person.cookie)).body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  const now = performance.now();
  jest.spyOn(performance, 'now').mockReturnValue(now + 10_000);
  return { ...person, reader };
}

async function readAll(reader: Awaited<ReturnType<typeof begun>>['reader']): Promise<string> {
  let read = '';
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
    read += Buffer.from(piece.value).toString();
  }
  return read;
}

test('an export breaks off once its session is ended, and makes room for the next', async () => {
  const { accountId, email, reader } = await begun();
  await database().session.deleteMany({ where: { userId: accountId } });
  await expect(readAll(reader)).rejects.toThrow();
  const cookie = cookieOf(await askAuth('/sign-in/email', { email, password }));
  expect((await ask(cookie)).status).toBe(200);
});

test('an export of an account that is closed meanwhile has no end', async () => {
  const { accountId, reader } = await begun();
  expect(await closeAccount(accountId)).toBe(true);
  await expect(readAll(reader)).rejects.toThrow();
});

test('an export of who is signed in still goes on to its end', async () => {
  const { reader } = await begun();
  expect(await readAll(reader)).toContain('"kind":"end"');
});

import { randomUUID } from 'node:crypto';
import { auth } from '@/src/accounts/auth';
import { accountScript } from '@/src/cli/account';
import { database } from '@/src/database/client';
import { result, run } from './run';

const password = 'correct horse';

function newEmail(): string {
  return `${randomUUID()}@example.com`;
}

test('create prints the id alone, of an account that signs in with its password', async () => {
  const email = newEmail();
  const args = ['create', '--email', email, '--password', password, '--name', 'Ada'];
  const { code, printed, said } = await run(accountScript, args);
  const account = await database().user.findUniqueOrThrow({ where: { email } });
  expect({ code, printed, said }).toEqual({ code: 0, printed: [account.id], said: [] });
  expect(account).toMatchObject({ name: 'Ada', plan: 'paid' });
  const session = await auth().api.signInEmail({ body: { email, password } });
  expect(session.user.id).toBe(account.id);
});

test('an e-mail address is kept in lower case and names the account where no name is given', async () => {
  const email = newEmail();
  const id = await result(accountScript, [
    ...['create', '--email', email.toUpperCase(), '--password', password],
  ]);
  expect(await database().user.findUnique({ where: { id } })).toMatchObject({ email, name: email });
});

test('"--password -" takes the password from standard input', async () => {
  const email = newEmail();
  const { code } = await run(
    accountScript,
    ['create', '--email', email, '--password', '-'],
    password,
  );
  expect(code).toBe(0);
  const session = await auth().api.signInEmail({ body: { email, password } });
  expect(session.user.email).toBe(email);
});

test('a taken e-mail address is refused with exit code 1, also when two ask at once', async () => {
  const args = ['create', '--email', newEmail(), '--password', password];
  const outcomes = await Promise.all([run(accountScript, args), run(accountScript, args)]);
  expect(outcomes.map(({ code }) => code).sort()).toEqual([0, 1]);
  const third = await run(accountScript, args);
  expect(third).toEqual({
    code: 1,
    printed: [],
    said: [`There is already an account for ${args[2]}.`],
  });
});

const complete = ['create', '--email', 'a@example.com', '--password', password];

test.each([
  ['no command', [], 'Say what to do'],
  ['an unknown command', ['remove'], 'Say what to do'],
  ['no e-mail address', ['create', '--password', password], '--email is missing'],
  ['a bad e-mail address', ['create', '--email', 'a', '--password', password], '--email must be'],
  ['no password', ['create', '--email', 'a@example.com'], '--password is missing'],
  ['a short password', [...complete.slice(0, 4), 'short'], '--password must have at least 8'],
  ['an empty standard input', [...complete.slice(0, 4), '-'], '--password must have at least 8'],
  ['an option without its value', complete.slice(0, 4), "Option '--password <value>'"],
  ['an unknown option', [...complete, '--plan', 'free'], "Unknown option '--plan'"],
  ['a repeated option', [...complete, '--email', 'b@example.com'], '--email is given twice'],
  ['something that is no option', [...complete, 'now'], "Unexpected argument 'now'"],
  ['an empty name', [...complete, '--name', ''], '--name must have'],
])('%s is one line and exit code 2', async (_, args, expected) => {
  const { code, printed, said } = await run(accountScript, args);
  expect({ code, printed }).toEqual({ code: 2, printed: [] });
  expect(said).toEqual([expect.stringContaining(expected)]);
  expect(said[0]).not.toMatch(/\n|correct horse/);
});

test('--help prints the usage', async () => {
  const { code, printed } = await run(accountScript, ['create', '--help']);
  expect(code).toBe(0);
  expect(printed[0]).toContain('account -- create --email');
});

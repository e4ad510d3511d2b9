import { randomUUID } from 'node:crypto';
import { auth } from '@/src/accounts/auth/auth';
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
  [
    'an unknown command',
    ['remove'],
    'Say what to do: create, set-password, set-plan, list, delete',
  ],
  ['no e-mail address', ['create', '--password', password], '--email is missing'],
  ['a bad e-mail address', ['create', '--email', 'a', '--password', password], '--email must be'],
  ['no password', ['create', '--email', 'a@example.com'], '--password is missing'],
  ['a short password', [...complete.slice(0, 4), 'short'], '--password must have at least 8'],
  ['an empty standard input', [...complete.slice(0, 4), '-'], '--password must have at least 8'],
  ['an option without its value', complete.slice(0, 4), "Option '--password <value>'"],
  [
    'a value that looks like an option',
    [...complete.slice(0, 4), '-correct-horse'],
    "Option '--password' argument is ambiguous. A value that begins with a dash stands behind =, as",
  ],
  ['an unknown option', [...complete, '--plan', 'free'], "Unknown option '--plan'"],
  ['a repeated option', [...complete, '--email', 'b@example.com'], '--email is given twice'],
  ['something that is no option', [...complete, 'now'], "Unexpected argument 'now'"],
  [
    'options that npm has kept, as it does without --,',
    ['create', 'a@b.c', password],
    "Unexpected argument 'a@b.c'. npm hands on options only where they stand behind --. Add -- --help",
  ],
  [
    'an address with which nobody signs in',
    ['create', '--email', `${'a'.repeat(310)}@example.com`, ...complete.slice(3)],
    '--email must have at most 320 characters',
  ],
  ['an empty name', [...complete, '--name', ''], '--name must have'],
  [
    'a new password that is short',
    ['set-password', ...complete.slice(1, 4), 'short'],
    '--password',
  ],
  [
    'a plan that there is not',
    ['set-plan', ...complete.slice(1, 3), '--plan', 'gold'],
    '--plan must',
  ],
  ['no plan', ['set-plan', ...complete.slice(1, 3)], '--plan is missing'],
  ['an address for the list', ['list', ...complete.slice(1, 3)], "Unknown option '--email'"],
  ['nobody to delete', ['delete', '--yes'], '--email is missing'],
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

async function newAccount() {
  const email = newEmail();
  const id = await result(accountScript, ['create', '--email', email, '--password', password]);
  return { email, id };
}

const signIn = (email: string, tried: string) =>
  auth().api.signInEmail({ body: { email, password: tried } });

test.each([
  ['set-password', ['--password', 'another battery']],
  ['set-plan', ['--plan', 'free']],
  ['delete', ['--yes']],
])('%s of an address without an account is one line and exit code 1', async (command, more) => {
  const email = newEmail();
  const { code, said } = await run(accountScript, [command, '--email', email, ...more]);
  expect(code).toBe(1);
  expect(said).toEqual([expect.stringContaining(`There is no account for ${email}.`)]);
});

test('set-password lets in with the new password alone, and signs out everywhere', async () => {
  const { email, id } = await newAccount();
  await signIn(email, password);
  const args = ['set-password', '--email', email.toUpperCase(), '--password', '-'];
  const outcome = await run(accountScript, args, 'another battery');
  expect(outcome).toEqual({ code: 0, printed: [], said: [] });
  expect(await database().session.count({ where: { userId: id } })).toBe(0);
  await expect(signIn(email, password)).rejects.toThrow();
  expect((await signIn(email, 'another battery')).user.id).toBe(id);
});

test('set-plan changes the plan', async () => {
  const { email, id } = await newAccount();
  const { code } = await run(accountScript, ['set-plan', '--email', email, '--plan', 'free']);
  expect(code).toBe(0);
  expect(await database().user.findUnique({ where: { id } })).toMatchObject({ plan: 'free' });
});

test('list prints a line for each account, by address, and none for one that is closed or of test data', async () => {
  const [one, two, closed] = [await newAccount(), await newAccount(), await newAccount()];
  const testData = await newAccount();
  await database().user.update({ where: { id: testData.id }, data: { liveUserId: one.id } });
  await run(accountScript, ['delete', '--email', closed.email, '--yes']);
  const { code, printed } = await run(accountScript, ['list']);
  expect(code).toBe(0);
  expect(printed[0]).toMatch(/^ID +PLAN +TESTIMONIALS +STORED BYTES +SINCE +E-MAIL$/);
  const lineOf = ({ id }: { id: string }) => printed.findIndex((line) => line.startsWith(id));
  expect(printed[lineOf(one)]).toMatch(
    new RegExp(`^${one.id}  paid +0 +0  [\\d-]{10}  ${one.email}$`),
  );
  expect(lineOf(one) < lineOf(two)).toBe(one.email < two.email);
  expect([lineOf(closed), lineOf(testData)]).toEqual([-1, -1]);
});

test('list reads page by page: none is left out, and none comes twice', async () => {
  const prefix = randomUUID();
  await database().user.createMany({
    data: Array.from({ length: 1001 }, (_, index) => ({
      name: 'One of many',
      email: `${prefix}-${String(index).padStart(4, '0')}@example.com`,
    })),
  });
  const { printed } = await run(accountScript, ['list']);
  const listed = printed.filter((line) => line.includes(prefix));
  expect(new Set(listed).size).toBe(1001);
  expect(listed).toHaveLength(1001);
  await database().user.deleteMany({ where: { email: { startsWith: prefix } } });
});

describe('delete', () => {
  test.each(['', 'another@example.com'])('does nothing where %j is typed', async (typed) => {
    const { email, id } = await newAccount();
    const { code, said } = await run(accountScript, ['delete', '--email', email], typed);
    expect(code).toBe(1);
    expect(said).toEqual([expect.stringContaining('Nothing is deleted')]);
    expect(await database().user.findUnique({ where: { id } })).toMatchObject({ closedAt: null });
  });

  test.each([
    ['the address is typed again', []],
    ['--yes is given', ['--yes']],
  ])('closes the account where %s', async (_, more) => {
    const { email, id } = await newAccount();
    const args = ['delete', '--email', email, ...more];
    const { code, printed } = await run(accountScript, args, email.toUpperCase());
    expect({ code, printed }).toEqual({ code: 0, printed: [] });
    expect(await database().user.findUnique({ where: { id } })).toMatchObject({
      closedAt: expect.any(Date),
    });
    await expect(signIn(email, password)).rejects.toThrow();
    // The address is free for somebody new.
    expect((await newAccountAt(email)).code).toBe(0);
  });
});

const newAccountAt = (email: string) =>
  run(accountScript, ['create', '--email', email, '--password', password]);

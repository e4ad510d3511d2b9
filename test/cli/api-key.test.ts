import { randomUUID } from 'node:crypto';
import { accountScript } from '@/src/cli/account';
import { apiKeyScript } from '@/src/cli/api-key';
import { runScript } from '@/src/cli/script';
import { terminal } from '@/src/cli/terminal';
import { database } from '@/src/database/client';
import { client, send } from '../helpers/client';
import { settled } from '../helpers/next-server';
import { result, run } from './run';

/** A new account, and the script's answers about it. */
async function newAccount() {
  const email = `${randomUUID()}@example.com`;
  const accountId = await result(accountScript, [
    ...['create', '--email', email, '--password', 'correct horse'],
  ]);
  return {
    accountId,
    email,
    create: (...options: string[]) =>
      result(apiKeyScript, ['create', '--email', email, '--scopes', 'read', ...options]),
    list: async () => {
      const table = await result(apiKeyScript, ['list', '--email', email]);
      return table.split('\n').map((line) => line.split(/ {2,}/));
    },
    idOf: async (name: string) => {
      const where = { userId: accountId, name };
      return (await database().apiKey.findFirstOrThrow({ where })).id;
    },
  };
}

async function errorOf(key: string) {
  const { status, body } = await send('GET', '/spaces', { key });
  return [status, body.error?.code];
}

test('create prints a key that works with its scopes', async () => {
  const { email, accountId } = await newAccount();
  const key = await result(apiKeyScript, ['create', '--email', email, '--scopes', 'read, write']);
  expect(key).toMatch(/^sk_live_[0-9a-f]{64}$/);
  const created = await client(key).post('/spaces', { name: 'A space' });
  expect([created.status, created.body.data.user_id]).toEqual([201, accountId]);
  const refused = await client(key).delete(`/spaces/${created.body.data.id}`);
  expect([refused.status, refused.body.error.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
});

test('a key that can neither be printed nor deleted again is named', async () => {
  const { email, accountId } = await newAccount();
  const said: string[] = [];
  const code = await runScript(
    apiKeyScript,
    ['create', '--email', email, '--scopes', 'read', '--name', 'Lost'],
    {
      ...terminal,
      say: (line) => said.push(line),
      hand: async () => {
        await database().apiKey.deleteMany({ where: { userId: accountId } });
        throw new Error('no reader');
      },
    },
  );
  expect(code).toBe(1);
  expect(said).toEqual([
    expect.stringMatching(/nor deleted again\. .* delete --id [0-9a-f-]{36}$/),
  ]);
});

test('a key whose expiry has passed is refused', async () => {
  const { email } = await newAccount();
  const args = ['create', '--email', email, '--scopes', 'read', '--expires', '2026-01-31'];
  const { code, printed, said } = await run(apiKeyScript, args);
  expect([code, said]).toEqual([0, ['Note: this key has expired already.']]);
  expect(await errorOf(printed[0] ?? '')).toEqual([403, 'API_KEY_EXPIRED']);
});

test.each([
  ['2999-12-31', '2999-12-31T23:59:59.999Z'],
  ['2999-12-31T12:00:00Z', '2999-12-31T12:00:00.000Z'],
  ['2999-12-31T12:00:00.5+02:00', '2999-12-31T10:00:00.500Z'],
])('--expires %s is kept as %s', async (given, kept) => {
  const account = await newAccount();
  const args = ['create', '--email', account.email, '--scopes', 'read', '--expires', given];
  const { printed, said } = await run(apiKeyScript, args);
  expect(said).toEqual([]);
  const [key = ''] = printed;
  expect(await errorOf(key)).toEqual([200, undefined]);
  const row = await database().apiKey.findFirst({ where: { userId: account.accountId } });
  expect(row?.expiresAt?.toISOString()).toBe(kept);
});

test('a key can be disabled, enabled again, and deleted', async () => {
  const account = await newAccount();
  const key = await account.create('--name', 'Site');
  const id = await account.idOf('Site');
  const change = (command: string) => run(apiKeyScript, [command, '--id', id]);

  expect(await change('disable')).toEqual({ code: 0, printed: [], said: [] });
  expect(await errorOf(key)).toEqual([403, 'API_KEY_DISABLED']);
  expect(await change('enable')).toMatchObject({ code: 0 });
  expect(await errorOf(key)).toEqual([200, undefined]);
  expect(await change('delete')).toEqual({ code: 0, printed: [], said: [] });
  expect(await errorOf(key)).toEqual([401, 'INVALID_API_KEY']);
  expect(await change('delete')).toEqual({
    code: 1,
    printed: [],
    said: ['There is no API key with this id.'],
  });
});

test('list shows the keys of one account and never a key', async () => {
  const account = await newAccount();
  const used = await account.create('--name', 'Used');
  await account.create('--name', 'Old', '--expires', '2026-01-31');
  await account.create('--name', 'Dated', '--expires', '2999-12-31');
  await run(apiKeyScript, ['disable', '--id', await account.idOf('Dated')]);
  await errorOf(used);
  await settled();

  const [headings, ...rows] = await account.list();
  expect(headings).toEqual(['ID', 'NAME', 'HINT', 'SCOPES', 'STATUS', 'LAST USED']);
  const hint = `sk_live_…${used.slice(-4)}`;
  expect(rows).toEqual([
    [await account.idOf('Dated'), 'Dated', expect.any(String), 'read', 'disabled', 'never'],
    [await account.idOf('Old'), 'Old', expect.any(String), 'read', 'expired', 'never'],
    [await account.idOf('Used'), 'Used', hint, 'read', 'active', expect.stringMatching(/Z$/)],
  ]);
  expect(JSON.stringify(rows)).not.toMatch(/sk_live_[0-9a-f]/);
});

test('what a terminal would obey in the name of a key is not printed', async () => {
  const account = await newAccount();
  await account.create('--name', 'a\u001b[2J\u009bb\u202ec');
  const [, row] = await account.list();
  expect(row?.[1]).toBe('a [2J bc');
});

test('an account on the free plan gets no key', async () => {
  const account = await newAccount();
  await database().user.update({ where: { id: account.accountId }, data: { plan: 'free' } });
  const args = ['create', '--email', account.email, '--scopes', 'read'];
  const { code, printed, said } = await run(apiKeyScript, args);
  expect({ code, printed }).toEqual({ code: 1, printed: [] });
  expect(said).toEqual([expect.stringContaining('paid plan')]);
});

test('an unknown account is exit code 1', async () => {
  for (const args of [['list'], ['create', '--scopes', 'read']]) {
    const { code, said } = await run(apiKeyScript, [...args, '--email', 'nobody@example.com']);
    expect(code).toBe(1);
    expect(said).toEqual([expect.stringContaining('no account for nobody@example.com')]);
  }
});

const create = ['create', '--email', 'a@example.com'];

test.each([
  ['no command', [], 'Say what to do'],
  ['a name that objects have', ['constructor'], 'Say what to do'],
  ['no scopes', create, '--scopes is missing'],
  ['an unknown scope', [...create, '--scopes', 'read,admin'], '--scopes must be'],
  ['empty scopes', [...create, '--scopes', ''], '--scopes must be'],
  ['no such day', [...create, '--scopes', 'read', '--expires', '2027-02-30'], '--expires must be'],
  ['a time alone', [...create, '--scopes', 'read', '--expires', 'tomorrow'], '--expires must be'],
  [
    'a year before the first',
    [...create, '--scopes', 'read', '--expires', '0000-01-01'],
    '--expires must be',
  ],
  [
    'a year of five digits',
    [...create, '--scopes', 'read', '--expires', '10000-01-01'],
    '--expires must be',
  ],
  [
    'a year of five digits in UTC',
    [...create, '--scopes', 'read', '--expires', '9999-12-31T23:59:59-10:00'],
    '--expires must be',
  ],
  ['no id', ['delete'], '--id is missing'],
  ['an id that is none', ['delete', '--id', '17'], '--id must be'],
])('%s is one line and exit code 2', async (_, args, expected) => {
  const { code, printed, said } = await run(apiKeyScript, args);
  expect({ code, printed }).toEqual({ code: 2, printed: [] });
  expect(said).toEqual([expect.stringContaining(expected)]);
});

import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { database } from '@/src/database/client';
import { createAccount } from '../helpers/accounts';
import { onLinux } from '../helpers/on-linux';
import { quickWasm } from '../helpers/quick-wasm';

/** For what never ends: a crowded machine takes its time. */
const giveUpMs = 80_000;

const loaders = [...quickWasm, '--import', 'tsx'];

/** Runs a script as people do, but for npm, which would only pass it on. */
function runProcess(file: string, args: string[], settings: Record<string, string>, input = '') {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...loaders, `src/cli/${file}`, ...args],
    { encoding: 'utf8', input, timeout: giveUpMs, env: { ...process.env, ...settings } },
  );
  return { status, stdout, stderr };
}

const password = 'correct horse';

/** The address of a new account, without the process that would make one. */
async function newEmail(): Promise<string> {
  return `${await createAccount()}@example.com`;
}

async function newSpace(email: string): Promise<string> {
  const data = { name: 'North', slug: randomUUID(), user: { connect: { email } } };
  return (await database().space.create({ data })).id;
}

test('standard output holds the result alone, and the password can come from standard input', () => {
  const args = ['create', '--email', `${randomUUID()}@example.com`, '--password', '-'];
  const created = runProcess('account.ts', args, { LOG_LEVEL: 'debug' }, `${password}\n`);
  expect(created).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^[0-9a-f-]{36}\n$/),
    stderr: '',
  });
});

test('an account is deleted where its address comes from standard input, and not where nothing does', async () => {
  const email = await newEmail();
  const args = ['delete', '--email', email];
  expect(runProcess('account.ts', args, {})).toMatchObject({ status: 1, stdout: '' });
  expect(runProcess('account.ts', args, {}, `${email}\n`)).toEqual({
    status: 0,
    stdout: '',
    stderr: `${email} is closed. The service removes what it had, from a minute from now.\n`,
  });
});

test('a database that cannot be reached is one line and exit code 1, without its password', () => {
  const args = ['list', '--email', 'a@example.com'];
  const settings = { DATABASE_URL: 'postgresql://someone:hunter2@localhost:9/testimonials' };
  const { status, stdout, stderr } = runProcess('api-key.ts', args, settings);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^The database localhost:9\/testimonials cannot be used: .*REFUSED.*\n$/);
  expect(stderr).not.toContain('hunter2');
});

test('a result that nobody reads is exit code 1, and no line of code', async () => {
  const email = await newEmail();
  for (const script of [['openapi.ts'], ['export.ts', '--email', email]]) {
    const [file, ...args] = script;
    const child = spawn(process.execPath, [...loaders, `src/cli/${file}`, ...args]);
    child.stdout.destroy();
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect([code, said]).toEqual([1, '']);
  }
});

test('a file from a pipe that fails ends the command, whether or not more comes', async () => {
  const email = await newEmail();
  const args = ['--email', email, '--space', await newSpace(email), '-'];
  const child = spawn(process.execPath, [...loaders, 'src/cli/import.ts', ...args]);
  child.stdin.write('submitter_name,submitter_email\n"Ada"x,ada@example.com\n');
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  expect([code, said]).toEqual([1, expect.stringMatching(/^The file is not CSV: .*\n$/)]);
});

test('progress that nobody reads is done without: what was begun goes on to its result', async () => {
  const args = ['--email', await newEmail(), '--spaces', '2', '--testimonials', '1'];
  const child = spawn(process.execPath, [...loaders, 'src/cli/seed.ts', ...args]);
  child.stderr.destroy();
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  expect([code, printed]).toEqual([0, expect.stringMatching(/^[0-9a-f-]{36}\n$/)]);
});

/** It gives a command a terminal. Not every Linux has it. */
const terminal = '/usr/bin/script';

(existsSync(terminal) ? onLinux : test.skip)(
  'Ctrl-C where a password is asked for ends the command by its signal',
  async () => {
    const command = [process.execPath, ...loaders, 'src/cli/account.ts', 'create'];
    const options = ['--email', `${randomUUID()}@example.com`, '--password', '-'];
    // A terminal of its own, whose keys are what comes in.
    const line = [...command, ...options].map((word) => `'${word}'`).join(' ');
    const child = spawn(terminal, ['--quiet', '--return', '--command', line, '/dev/null']);
    let shown = '';
    child.stdout.on('data', (piece) => {
      if (!shown.includes('Password: ') && `${shown}${piece}`.includes('Password: ')) {
        child.stdin.write('\x03');
      }
      shown += piece;
    });
    expect(await once(child, 'close')).toEqual([130, null]);
    expect(shown).not.toContain('--help');
  },
);

onLinux('a result for which there is no room is exit code 1 and one line', async () => {
  const email = await newEmail();
  for (const script of [
    'openapi.ts',
    'doctor.ts --help',
    'account.ts list',
    `export.ts --email ${email}`,
  ]) {
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', `exec "${process.execPath}" ${loaders.join(' ')} src/cli/${script} > /dev/full`],
      { encoding: 'utf8', timeout: giveUpMs },
    );
    expect(status).toBe(1);
    expect(stderr).toMatch(/^The result cannot be written: .*\n$/);
  }
});

onLinux(
  'a key that could not be printed is deleted again, for want of room or of a reader',
  async () => {
    const email = await newEmail();
    const full = openSync('/dev/full', 'w');
    for (const stdout of [full, 'pipe'] as const) {
      const child = spawn(
        process.execPath,
        [...loaders, 'src/cli/api-key.ts', 'create', '--email', email, '--scopes', 'read'],
        { stdio: ['ignore', stdout, 'pipe'] },
      );
      child.stdout?.destroy();
      const [said, [code]] = await Promise.all([
        text(child.stderr ?? Readable.from([])),
        once(child, 'close'),
      ]);
      expect(code).toBe(1);
      expect(said).toMatch(
        /^(.*ENOSPC.*\n)?The key could not be printed, and is deleted again\.\n$/,
      );
    }
    closeSync(full);
    expect(await database().apiKey.count({ where: { user: { email } } })).toBe(0);
  },
);

test('npm hands a signal to each command: a shell between them would end alone', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(
    readFileSync('package.json', 'utf8'),
  );
  const commands = Object.values(scripts).filter((line) => line.includes('src/'));
  expect(commands.length).toBeGreaterThan(10);
  expect(commands.filter((line) => !/\bexec (node|tsx) /.test(line))).toEqual([]);
});

test('an .env that cannot be read is one line and exit code 1', () => {
  const folder = mkdtempSync(join(tmpdir(), 'testimonials-env-'));
  mkdirSync(join(folder, '.env'));
  const tsx = pathToFileURL(require.resolve('tsx')).href;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', tsx, resolve('src/cli/openapi.ts')],
    { encoding: 'utf8', timeout: giveUpMs, cwd: folder },
  );
  rmSync(folder, { recursive: true });
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^\.env cannot be read: .*\n$/);
});

import fs, {
  existsSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, provideEnv } from '@/src/env';
import { ensureSecretKey, keptSecretKey } from '@/src/secrets/secret-key';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secret-key-'));
  file = join(folder, 'secret-key');
  provideEnv({ SECRET_KEY: '', DATA_FOLDER: folder });
});

afterEach(() => rmSync(folder, { recursive: true }));

test('a key is made once, whole and private, and found again', () => {
  ensureSecretKey();
  const made = env().SECRET_KEY;
  expect(made).toMatch(/^[0-9a-f]{64}$/);
  expect(readFileSync(file, 'utf8')).toBe(made);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['secret-key']);

  provideEnv({ SECRET_KEY: '' });
  ensureSecretKey();
  expect(env().SECRET_KEY).toBe(made);
});

test('a key is on the disk before it gets its name, and its name before it is used', () => {
  const flushed: unknown[] = [];
  const flush = fs.fsyncSync;
  jest.spyOn(fs, 'fsyncSync').mockImplementation((descriptor) => {
    const found = fstatSync(descriptor);
    flushed.push([found.isDirectory() ? 'folder' : found.size, existsSync(file)]);
    flush(descriptor);
  });
  ensureSecretKey();
  expect(flushed).toEqual([
    [64, false],
    ['folder', true],
  ]);
});

test('where another process makes the key at the same moment, that is the key of both', () => {
  const other = 'o'.repeat(64);
  writeFileSync(file, other);
  // It was not there yet when this one looked.
  const looked = jest.spyOn(fs, 'existsSync').mockReturnValueOnce(false);
  ensureSecretKey();
  looked.mockRestore();
  expect([env().SECRET_KEY, readFileSync(file, 'utf8')]).toEqual([other, other]);
  expect(readdirSync(folder)).toEqual(['secret-key']);
});

test('where a key is configured, none is made or looked at', () => {
  const configured = 'c'.repeat(32);
  provideEnv({ SECRET_KEY: configured });
  ensureSecretKey();
  expect(readdirSync(folder)).toEqual([]);
  writeFileSync(file, 'cut off');
  ensureSecretKey();
  expect(env().SECRET_KEY).toBe(configured);
});

test('the draft of another process is left to it, also where that has the same number', () => {
  const draft = `${file}.${process.pid}.draft`;
  writeFileSync(draft, 'of another container');
  ensureSecretKey();
  expect(readFileSync(draft, 'utf8')).toBe('of another container');
});

// A container engine makes one where the file that it is to mount is not there.
test('a folder in place of the file is refused, with its name and what to do', () => {
  mkdirSync(file);
  expect(ensureSecretKey).toThrow(
    `${file} is a folder, and not the file that has the secret key. `,
  );
  expect(ensureSecretKey).toThrow(/Put that file .*SECRET_KEY/);
  expect(readdirSync(file)).toEqual([]);
});

// As secrets are linked that are mounted elsewhere, where that is not there.
test('a link that leads nowhere in place of the file is refused, with its name and what to do', () => {
  symlinkSync(join(folder, 'elsewhere'), file);
  for (const read of [ensureSecretKey, () => keptSecretKey(folder)]) {
    expect(read).toThrow(`${file} is a link that leads nowhere. `);
    expect(read).toThrow(/Put the file .*SECRET_KEY/);
  }
  expect(readdirSync(folder)).toEqual(['secret-key']);
});

test.each([
  ['empty', '', 'empty'],
  ['blank', ' \n', 'empty'],
  ['cut off', 'a'.repeat(31), 'cut off after 31 characters'],
])('a kept key that is %s is refused, with its file and what to do', (_, content, words) => {
  writeFileSync(file, content);
  expect(ensureSecretKey).toThrow(`The secret key in ${file} is ${words}. `);
  expect(ensureSecretKey).toThrow(/from a backup.*SECRET_KEY.*remove the file/s);
  expect(env().SECRET_KEY).toBeUndefined();
  expect(readFileSync(file, 'utf8')).toBe(content);
});

test('a kept key that nobody made here is taken as it is, where it is long enough', () => {
  writeFileSync(file, `${'k'.repeat(32)}\n`);
  ensureSecretKey();
  expect(env().SECRET_KEY).toBe('k'.repeat(32));
});

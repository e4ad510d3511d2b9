import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDataFolder } from '@/src/data-folder';

let parent: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'data-folder-'));
});

afterEach(() => rmSync(parent, { recursive: true }));

test('a data folder is made with those above it, for its user alone', () => {
  const folder = join(parent, 'not', 'there');
  makeDataFolder(folder);
  makeDataFolder(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test.each([
  ['is a file', 'file', 'it is a file'],
  ['lies below a file', 'file/below', 'a file stands in its path'],
])('one that %s is refused, naming the variable', (_, path, reason) => {
  writeFileSync(join(parent, 'file'), '');
  const folder = join(parent, path);
  expect(() => makeDataFolder(folder)).toThrow(
    `The data folder ${folder} cannot be used: ${reason}. Choose one that this user may write to (DATA_FOLDER).`,
  );
});

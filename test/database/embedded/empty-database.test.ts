import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyEmptyDatabase } from '@/src/database/embedded/empty-database';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'empty-database-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

test('a new database begins as a copy that only its owner reads and writes, whatever it is a copy of', async () => {
  const installed = join(folder, 'installed');
  mkdirSync(join(installed, 'base'), { recursive: true });
  writeFileSync(join(installed, 'PG_VERSION'), '18');
  writeFileSync(join(installed, 'base', '1'), 'pages');
  for (const path of ['PG_VERSION', 'base/1']) chmodSync(join(installed, path), 0o444);
  for (const path of ['base', '.']) chmodSync(join(installed, path), 0o555);

  const copy = join(folder, 'copy');
  mkdirSync(copy, { mode: 0o700 });
  await copyEmptyDatabase(copy, installed);
  const modeOf = (path: string) => (statSync(join(copy, path)).mode & 0o777).toString(8);
  expect(Object.fromEntries(pathsIn(copy).map((path) => [path, modeOf(path)]))).toEqual({
    PG_VERSION: '600',
    base: '700',
    'base/1': '600',
  });
  expect(readFileSync(join(copy, 'base', '1'), 'utf8')).toBe('pages');
});

test('what it is a copy of, nobody but who installed it can write to', () => {
  const installed = join(__dirname, '../../../prisma/empty-database');
  const isWritable = (path: string) => (statSync(join(installed, path)).mode & 0o022) !== 0;
  expect(pathsIn(installed)).toContain('PG_VERSION');
  expect(pathsIn(installed).filter(isWritable)).toEqual([]);
});

test('where packages were installed without scripts, it says what makes the copy', async () => {
  const missing = join(folder, 'empty-database');
  await expect(copyEmptyDatabase(folder, missing)).rejects.toThrow(
    `No database can be created without ${missing}. To have it made, run "npm ci".`,
  );
  expect(pathsIn(folder)).toEqual([]);
});

function pathsIn(of: string): string[] {
  return readdirSync(of, { recursive: true, encoding: 'utf8' });
}

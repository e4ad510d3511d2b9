import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorTable } from '@/src/api/errors';

/** What is written, compiles, and is of no effect until it is named elsewhere. */

const root = join(__dirname, '..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');

const inSrc = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true });
const source = inSrc
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
  .join('\n');

test('every job that there is, the service does', () => {
  const exported = Array.from(source.matchAll(/^export const (\w+Job)\b/gm), ([, name]) => name);
  expect(exported.length).toBeGreaterThan(5);
  const done = read('src/jobs.ts').replace(/^(import|export const \w+Job\b) .*$/gm, '');
  expect(exported.filter((name) => !new RegExp(`\\b${name}\\b`).test(done))).toEqual([]);
});

test('every code of the table of errors is that of an error which is thrown', () => {
  const codes = Object.keys(errorTable);
  expect(codes.filter((code) => !new RegExp(`ApiError\\(\\s*'${code}'`).test(source))).toEqual([]);
});

test('every room with operations is a feature, of which browsers load next to nothing', () => {
  const [, features = ''] =
    /^const features = \[(.*?)\];/ms.exec(read('.dependency-cruiser.cjs')) ?? [];
  const rooms = readdirSync(join(root, 'src')).filter((name) =>
    existsSync(join(root, 'src', name, 'router.ts')),
  );
  expect(rooms.length).toBeGreaterThan(5);
  // Lower than features, for they note changes in it; the rule names it beside them.
  const others = rooms.filter((room) => room !== 'audit');
  expect(others.filter((room) => !features.includes(`'${room}'`))).toEqual([]);
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');
const mantine = join(root, 'node_modules/@mantine/core');
const index = join(mantine, 'esm/index.mjs');

/** What every page has, whatever its parts. */
const bases = ['baseline', 'default-css-variables', 'global'];

const read = (path: string) => readFileSync(path, 'utf8');

/** The names that the pages import from Mantine. */
function used(): Set<string> {
  const names = new Set<string>();
  for (const folder of ['app', 'src']) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (!/\.tsx?$/.test(entry)) continue;
      const source = read(join(root, folder, entry));
      for (const [, list = ''] of source.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)) {
        for (const name of list.split(',').map((part) => part.trim())) {
          if (name && !name.startsWith('type ')) names.add(name);
        }
      }
    }
  }
  return names;
}

/** The file and all that it imports of Mantine. */
function reached(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, path = ''] of read(file).matchAll(/from "(\.[^"]+)"/g)) {
    reached(resolve(dirname(file), path), seen);
  }
  return seen;
}

test('the styles of every part of Mantine that pages use are there, no others, and in its order', () => {
  const files = new Map<string, string>();
  for (const [, list = '', path = ''] of read(index).matchAll(
    /import \{([^}]*)\} from "([^"]+)"/g,
  )) {
    for (const name of list.split(',')) files.set(name.trim(), resolve(dirname(index), path));
  }
  const seen = new Set<string>();
  for (const name of used()) {
    const file = files.get(name);
    if (!file) throw new Error(`No file of Mantine has ${name}`);
    reached(file, seen);
  }
  const needed = [...seen]
    .filter((file) => file.endsWith('.module.mjs'))
    .map((file) => basename(file, '.module.mjs'))
    .filter((name) => existsSync(join(mantine, 'styles', `${name}.css`)));
  const whole = read(join(mantine, 'styles.css'));
  const placeOf = (name: string) =>
    whole.indexOf(read(join(mantine, 'styles', `${name}.css`)).trim());
  const sorted = [...bases, ...needed].sort((one, other) => placeOf(one) - placeOf(other));
  expect(sorted.filter((name) => placeOf(name) === -1)).toEqual([]);
  const imported = [
    ...read(join(root, 'src/ui/mantine.css')).matchAll(/styles\/([\w-]+)\.css/g),
  ].map(([, name]) => name);
  expect(imported).toEqual(sorted);
});

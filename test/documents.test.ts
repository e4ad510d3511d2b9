import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { scripts } from '../package.json';

const root = join(__dirname, '..');
const documents = ['.', 'bench', 'client', 'docs']
  .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)))
  .filter((name) => name.endsWith('.md'));

const read = (name: string) => readFileSync(join(root, name), 'utf8');
const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```$/gm, '');

/** As GitHub makes them of headings; none of ours stands twice in a document. */
function anchorsOf(name: string): string[] {
  const headings = withoutCode(read(name)).matchAll(/^#+ (.+)$/gm);
  return Array.from(headings, ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test.each(documents)('%s links to what is there', (name) => {
  const links = Array.from(
    withoutCode(read(name)).matchAll(/\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)/g),
  );
  const broken = links.filter(([, path = '', anchor = '']) => {
    const target = path === '' ? name : normalize(join(dirname(name), path));
    if (!existsSync(join(root, target))) return true;
    return anchor !== '' && !anchorsOf(target).includes(anchor);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

test.each(documents)('%s names commands that there are', (name) => {
  const commands = Array.from(
    read(name).matchAll(/npm run (?:--silent )?([\w:-]*\w)/g),
    ([, command = '']) => command,
  );
  expect(commands.filter((command) => !(command in scripts))).toEqual([]);
});

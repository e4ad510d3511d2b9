import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { openApiDocument } from '@/src/rest/openapi/document';
import { scripts } from '../package.json';

const root = join(__dirname, '..');
const documents = ['.', 'bench', 'client', 'docs']
  .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)))
  .filter((name) => name.endsWith('.md'));

const read = (name: string) => readFileSync(join(root, name), 'utf8');
const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```$/gm, '');

/** As GitHub makes them of headings; none that is linked to stands twice in a document. */
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

const commandLines: Record<string, string> = scripts;

/** The file of a command, which has its help in it; undefined for what is none of ours. */
function sourceOf(command: string): string | undefined {
  const [file] = /src\/cli\/[\w-]+\.ts/.exec(commandLines[command] ?? '') ?? [];
  return file && read(file);
}

test('every command of ours is shown in a document', () => {
  const shown = documents.map(read).join();
  const commands = Object.keys(scripts).filter(sourceOf);
  expect(commands.length).toBeGreaterThan(10);
  expect(
    commands.filter((name) => !new RegExp(`npm run (--silent )?${name}(?![\\w:-])`).test(shown)),
  ).toEqual([]);
});

test('docs/architecture.md says what is in every folder that is a room, and in no other', () => {
  const rules = jest.requireActual<{ forbidden: { name: string }[] }>('../.dependency-cruiser.cjs');
  const rooms = rules.forbidden.flatMap(
    ({ name }) => /^([\w/-]+) imports lower floors/.exec(name)?.[1] ?? [],
  );
  expect(rooms.length).toBeGreaterThan(40);
  const cells = read('docs/architecture.md').matchAll(/^\| (`.+?) \|/gm);
  const told = Array.from(cells, ([, cell = '']) => cell)
    .join()
    .matchAll(/`([\w/-]+)\/`/g);
  expect(Array.from(told, ([, room]) => room).sort()).toEqual(rooms.sort());
});

test('commands that documents show have the options that they are shown with', () => {
  const shown = documents.flatMap((name) =>
    Array.from(
      read(name)
        .replaceAll(/\\\n\s*/g, '')
        .matchAll(/npm run (?:--silent )?([\w-]+) -- ([^`\n|)]+)/g),
      ([, command = '', args = '']) => ({
        name,
        command,
        args: args.replaceAll(/'[^']*'|"[^"]*"/g, ''),
      }),
    ),
  );
  const unknown = shown.flatMap(({ name, command, args }) => {
    const source = sourceOf(command);
    const options = args.match(/(?<= |^)--(?!help)[a-z-]+/g) ?? [];
    return source === undefined
      ? []
      : options
          .filter((option) => !source.includes(option))
          .map((option) => [name, command, option]);
  });
  expect(shown.filter(({ command }) => sourceOf(command)).length).toBeGreaterThan(10);
  expect(unknown).toEqual([]);
});

test('requests that documents show go to paths that there are', () => {
  const paths = Object.keys(JSON.parse(openApiDocument()).paths);
  const templates = paths.map((path) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`));
  const shown = documents.flatMap((name) =>
    Array.from(read(name).matchAll(/\$API(\/[\w/$-]+)/g), ([, path = '']) => path),
  );
  expect(shown.length).toBeGreaterThan(8);
  expect(shown.filter((path) => !templates.some((template) => template.test(path)))).toEqual([]);
});

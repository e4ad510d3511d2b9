import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv as parseEnvFile } from 'node:util';
import { parseEnv } from '@/src/env';

const read = (name: string) => readFileSync(join(__dirname, '..', name), 'utf8');

/** The service itself sets it, for a worker. */
const ours = new Set(['WORKER_NUMBER']);
const variables = Array.from(
  read('src/env.ts').matchAll(/^ {2}([A-Z][A-Z0-9_]+): /gm),
  ([, name = '']) => name,
).filter((name) => !ours.has(name));

const page = read('docs/configuration.md');
const rows = Array.from(
  page.matchAll(/^\| (`.+?) \| (.+?) \| (.+) \|$/gm),
  ([, names = '', shown = '', meaning = '']) => ({
    names: Array.from(names.matchAll(/`([A-Z0-9_]+)`/g), ([, name = '']) => name),
    shown: shown.replaceAll('`', '').split(', '),
    meaning,
  }),
);

const defaults: Record<string, unknown> = parseEnv({});

test('the page has every variable, and no other', () => {
  expect(variables.length).toBeGreaterThan(40);
  expect(
    variables.filter((name) => !page.includes(`\`${name}\``) && !page.includes(`\`${name}=`)),
  ).toEqual([]);
  expect(rows.flatMap(({ names }) => names).filter((name) => !variables.includes(name))).toEqual(
    [],
  );
});

test('a default is the one that the page shows', () => {
  const shown = rows.flatMap(({ names, shown }) => names.map((name, at) => [name, shown[at]]));
  for (const [name = '', text] of shown) {
    if (name in defaults) expect([name, text]).toEqual([name, String(defaults[name])]);
  }
});

test('what is to have so many characters is taken with these, and refused with one less', () => {
  const bounds = rows.flatMap(({ names, meaning }) => {
    const [, least] = /^at least (\d+) characters/.exec(meaning) ?? [];
    return least === undefined ? [] : names.map((name) => [name, Number(least)] as const);
  });
  expect(bounds).toHaveLength(3);
  for (const [name, least] of bounds) {
    expect(() => parseEnv({ [name]: 'x'.repeat(least) })).not.toThrow();
    expect(() => parseEnv({ [name]: 'x'.repeat(least - 1) })).toThrow(name);
  }
});

test('the example sets nothing as it is, and names variables that there are', () => {
  const lines = read('.env.example').trim().split('\n');
  expect(lines.filter((line) => line !== '' && !line.startsWith('# '))).toEqual([]);
  const named = lines.flatMap((line) => /^# ([A-Z0-9_]+)=/.exec(line)?.[1] ?? []);
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((name) => !variables.includes(name))).toEqual([]);
});

// A unit and Node read the file by themselves; a command beside a unit has it from the shell, to which
// the `&` between two parameters of an address ends the line.
test('what the example shows, a shell reads as Node does, also with signs that mean something to it', () => {
  const words = /^(PUBLIC_URL|PORT|TRUSTED_PROXIES|WORKERS|MAX_CONNECTIONS|SIGN_UP|REQUEST_LOG)=/;
  const file = Array.from(
    read('.env.example').matchAll(/^# (?=[A-Z0-9_]+=)(.+)$/gm),
    ([, line = '']) =>
      words.test(line) ? line : line.replace(/(['"]?)$/, '?a=1&b=2 $HOME `id` <c> \\n$1'),
  ).join('\n');
  const given = parseEnvFile(file);
  const print = 'process.stdout.write(JSON.stringify(process.env))';
  const script = 'set -a; eval "$0"; exec "$1" -e "$2"';
  const env = { NODE_ENV: 'test' } as const;
  const printed = execFileSync('sh', ['-c', script, file, process.execPath, print], { env });
  expect(JSON.parse(String(printed))).toMatchObject(given);
});

// Whoever rehearses has the settings of the service in .env or from the shell.
test('the rehearsal of a restore works beside the settings of a service that has replicas', () => {
  const url = 'postgresql://postgres.example/testimonials';
  const [, words = ''] =
    /`rm -rf \S+ && ((?:[A-Z_]+=\S* )+)npm run restore /.exec(read('docs/operations.md')) ?? [];
  const given = Object.fromEntries(
    words
      .trim()
      .split(' ')
      .map((word) => word.split('=')),
  );
  expect(given).toMatchObject({ DATABASE_URL: '', DATA_FOLDER: '/tmp/rehearsal' });
  const settings = parseEnv({ DATABASE_URL: url, DATABASE_READ_URLS: url, ...given });
  expect(settings).toMatchObject({ DATA_FOLDER: '/tmp/rehearsal' });
  expect(settings).not.toHaveProperty('DATABASE_URL');
});

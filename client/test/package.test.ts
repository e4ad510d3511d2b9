import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createAccount, createKey } from '@/test/helpers/accounts';
import { nodeFront } from '@/test/helpers/client';

const run = promisify(execFile);

// Installing and compiling is slow on a crowded machine.
jest.setTimeout(300_000);

const root = join(__dirname, '..', '..');
const own = join(root, 'client');
const tools = join(own, 'node_modules');

// They are some 50 MB that nothing else needs: `npm run test:client` installs them.
const withTools = existsSync(tools) ? describe : describe.skip;

withTools('the package as somebody installs it', () => {
  let folder = '';
  let packed: { filename: string; files: { path: string }[]; size: number };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'testimonials-client-'));
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], {
      cwd: own,
    });
    // What it runs before packing prints first.
    [packed] = JSON.parse(stdout.slice(stdout.indexOf('[\n')));
    await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    await run('npm', ['install', '--offline', '--no-audit', packed.filename], { cwd: folder });
    await symlink(join(tools, '@types'), join(folder, 'node_modules', '@types'));
    await copyFile(join(__dirname, 'program.mjs'), join(folder, 'program.mjs'));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('holds what it needs and nothing else', async () => {
    const paths = packed.files.map(({ path }) => path);
    const others = paths.filter((path) => !/^dist\/[a-z]+(\.d\.ts|\.js)$/.test(path));
    expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
    expect(paths).toContain('dist/index.d.ts');
    expect(packed.size).toBeLessThan(50_000);
    const { dependencies, private: isPrivate } = JSON.parse(
      await readFile(join(own, 'package.json'), 'utf8'),
    );
    expect([dependencies, isPrivate]).toEqual([undefined, false]);
  });

  test('has types that nobody has changed by hand', async () => {
    const made = join(folder, 'schema.ts');
    await run(process.execPath, [join(own, 'generate.mjs'), made]);
    const committed = await readFile(join(own, 'src', 'schema.ts'), 'utf8');
    expect(await readFile(made, 'utf8')).toBe(committed);
  });

  // More of them by CLIENT_RUNTIMES, by commas: `bun`, `deno run -A`.
  const runtimes = [process.execPath, ...(process.env.CLIENT_RUNTIMES?.split(',') ?? [])];

  test.each(runtimes)('runs against the service: %s', async (runtime) => {
    const [command = '', ...options] = runtime.split(' ');
    const key = await createKey(await createAccount());
    const program = [...options, 'program.mjs', `${await nodeFront()}/api/v1`, key];
    const { stdout } = await run(command, program, { cwd: folder });
    expect(stdout).toBe('ok\n');
  });

  const compilers = [join(tools, 'typescript'), join(root, 'node_modules', 'typescript')];
  const resolutions = [
    [
      'nodenext and no unchecked index',
      ['--module', 'nodenext', '--noUncheckedIndexedAccess', '--verbatimModuleSyntax'],
    ],
    // As `tsc --init` has it since 5.9, and so half of the programs that come new.
    [
      'bundler and exact optional properties',
      ['--module', 'esnext', '--moduleResolution', 'bundler', '--exactOptionalPropertyTypes'],
    ],
  ] as const;
  const surroundings = [
    ['Node’s types', ['--lib', 'es2022', '--types', 'node,express']],
    ['a browser’s types', ['--lib', 'es2022,dom,dom.iterable', '--typeRoots', 'none']],
  ] as const;
  const cases = compilers.flatMap((compiler) =>
    resolutions.flatMap(([resolution, module]) =>
      surroundings.map(([types, lib]) => ({
        compiler,
        resolution,
        types,
        args: [...module, ...lib],
      })),
    ),
  );

  test.each(cases)('has right types in $compiler with $resolution and $types', async (one) => {
    const programs =
      one.types === 'Node’s types' ? [...(await pages()), typeProgram] : [typeProgram];
    const files = programs.map((_, index) => `program-${index}.ts`);
    await Promise.all(
      files.map((file, index) => writeFile(join(folder, file), programs[index] ?? '')),
    );
    const options =
      '--noEmit --strict --skipLibCheck false --target es2022 --esModuleInterop'.split(' ');
    const compiler = join(one.compiler, 'bin', 'tsc');
    const args = [compiler, ...options, ...one.args, ...files];
    const { stdout } = await run(process.execPath, args, { cwd: folder }).catch(
      ({ stdout }: { stdout: string }) => ({ stdout }),
    );
    expect(stdout).toBe('');
  });

  test.each(compilers)('can be required by a CommonJS program with nodenext, %s', async (one) => {
    await writeFile(join(folder, 'common.cts'), typeProgram);
    const options = '--noEmit --strict --skipLibCheck false --target es2022 --module nodenext';
    const args = [join(one, 'bin', 'tsc'), ...options.split(' '), '--lib', 'es2022,dom'];
    const { stdout } = await run(process.execPath, [...args, 'common.cts'], { cwd: folder }).catch(
      ({ stdout }: { stdout: string }) => ({ stdout }),
    );
    expect(stdout).toBe('');
  });
});

/** The programs of the README. Those that make no client of their own go on with the first one's. */
async function pages(): Promise<string[]> {
  const page = await readFile(join(own, 'README.md'), 'utf8');
  const programs = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, program]) => program ?? '');
  expect(programs).toHaveLength(10);
  return programs.map((program) =>
    program.includes('new Testimonials(') || !/\bapi\./.test(program)
      ? program
      : `declare const api: import('@testimonials/client').Testimonials;\n${program}\nexport {};`,
  );
}

/** What the types allow, and what they do not. */
const typeProgram = `
import { type ErrorCode, Testimonials, type WebhookEvent } from '@testimonials/client';

const api = new Testimonials({ apiKey: '', baseUrl: '' });

export async function calls(): Promise<void> {
  const { data, pagination } = await api.listTestimonials();
  const [names, next]: [string[], string | null | undefined] = [
    data.map(({ submitter_name }) => submitter_name),
    pagination.next_cursor,
  ];
  const gone: undefined = await api.deleteSpace({ id: '' });
  for await (const { slug } of api.iterateSpaces({ limit: 5 })) names.push(slug ?? '');
  // @ts-expect-error a parameter that there is not
  await api.listTestimonials({ staus: 'approved' });
  // @ts-expect-error a value that there is not
  await api.listTestimonials({ status: 'aproved' });
  // @ts-expect-error without an id
  await api.getTestimonial();
  // @ts-expect-error without required fields
  await api.createSpace({});
  // @ts-expect-error a walk chooses its cursor
  api.iterateSpaces({ cursor: 'start' });
  // @ts-expect-error an operation that there is not
  await api.deleteEvent({ id: '' });
  // @ts-expect-error another type
  const rating: string = data[0]?.rating;
  console.log(names, next, gone, rating);
}

export function read(event: WebhookEvent): string | null {
  switch (event.type) {
    case 'testimonial.approved':
    case 'testimonial.rejected':
    case 'testimonial.updated':
      return event.data.previous_status;
    case 'testimonial.created':
    case 'testimonial.deleted':
      // @ts-expect-error no status was set
      return event.data.previous_status;
    case 'space.created':
    case 'space.updated':
    case 'space.deleted':
      return event.data.slug;
  }
}

const known: ErrorCode = 'TESTIMONIAL_NOT_FOUND';
const later: ErrorCode = 'NOT_KNOWN_YET';
export const codes = [known, later];
`;

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type BuiltFunction, builtFunctions, bytesOf, projectFolder, sourcesOf } from './build';
import { describeFunctions } from './describe';

/** Unpacked, of one function. A platform's own bound is 250 MB; each megabyte is read at a cold start. */
const maxMiB = 16;

/** What no request can need: of the long-lived service, of commands, and of tests. */
const neverBundled =
  /^(?:test|bench|client|prisma)\/|^src\/(?:cli|copying|http|service)\/|^src\/server\.ts$|^src\/database\/open\.ts$|^src\/database\/embedded\/(?!session\.ts$)/;

const neverPacked = /pglite|tsx|esbuild|playwright|jest|prom-client|pg-copy-streams/;

/** Health compares the migrations with the database's books. */
const readsMigrations = ({ name }: BuiltFunction) => /^api\/health(?:\/|$)/.test(name);

/** The place of its package in the lock file. */
const packageOf = (file: string) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];

const packagesOf = ({ files }: BuiltFunction) => [
  ...new Set(files.flatMap((file) => packageOf(file) ?? [])),
];

describeFunctions('no function', () => {
  let functions: BuiltFunction[] = [];

  beforeAll(() => {
    functions = builtFunctions();
    const known = [
      'api/v1/[[...path]]',
      'api/trpc/[trpc]',
      'api/cron',
      'files/[...key]',
      'sign-in',
    ];
    expect(functions.map(({ name }) => name)).toEqual(expect.arrayContaining(known));
  });

  /** By the function's name, what should not be there. */
  const wrong = (find: (of: BuiltFunction) => string[]) =>
    functions.map((of) => [of.name, find(of)] as const).filter(([, found]) => found.length > 0);

  test(`is larger than ${maxMiB} MiB`, () => {
    expect(functions.filter((of) => bytesOf(of) > maxMiB * 1024 ** 2)).toEqual([]);
  });

  test('has a development dependency, or a package that is not locked', () => {
    const { packages } = z
      .object({ packages: z.record(z.string(), z.object({ dev: z.boolean().optional() })) })
      .parse(JSON.parse(readFileSync(join(projectFolder, 'package-lock.json'), 'utf8')));
    const isWrong = (name: string) => !packages[name] || packages[name].dev === true;
    expect(packages['node_modules/jest']?.dev).toBe(true);
    expect(wrong((of) => packagesOf(of).filter(isWrong))).toEqual([]);
  });

  test('has the embedded database, or what only commands, the long-lived service and tests use', () => {
    expect(wrong((of) => packagesOf(of).filter((name) => neverPacked.test(name)))).toEqual([]);
    expect(wrong((of) => sourcesOf(of).filter((source) => neverBundled.test(source)))).toEqual([]);
  });

  test('has files of the project itself, but for the migrations that health reads', () => {
    const isOwn = (file: string) => !/^(?:\.next|node_modules)\//.test(file);
    const isMigration = (file: string) => file.startsWith('prisma/migrations/');
    expect(
      wrong((of) =>
        of.files.filter((file) => isOwn(file) && !(readsMigrations(of) && isMigration(file))),
      ),
    ).toEqual([]);
  });

  test('can apply a migration', () => {
    // What the runner writes, and nothing that only reads does.
    const written = 'applied_steps_count';
    const textOf = (file: string) => readFileSync(join(projectFolder, file), 'utf8');
    expect(textOf('src/database/migrate.ts')).toContain(written);
    const isChunk = (file: string) => /^\.next\/server\/.*\.js$/.test(file);
    expect(
      wrong((of) => of.files.filter((file) => isChunk(file) && textOf(file).includes(written))),
    ).toEqual([]);
  });

  test('does what is due without the demuxer, which its other process loads', () => {
    const workers = functions.filter((of) => sourcesOf(of).includes('src/background/drain.ts'));
    expect(workers.map(({ name }) => name)).toEqual([
      'api/auth/[...all]',
      'api/cron',
      'api/trpc/[trpc]',
      'api/v1/[[...path]]',
    ]);
    const without = workers.filter((of) => !packagesOf(of).includes('node_modules/mediabunny'));
    expect(without.map(({ name }) => name)).toEqual([]);
  });
});

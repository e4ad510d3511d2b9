import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type BuiltFunction, builtFunctions, bytesOf, projectFolder } from './build';
import { describeFunctions } from './describe';

/** Unpacked, of one function. A platform's own bound is 250 MB; each megabyte is read at a cold start. */
const maxMiB = 16;

const neverPacked = /pglite|tsx|esbuild|playwright|jest|prom-client|pg-copy-streams/;

/** Health compares the migrations with the database's table of them. */
const readsMigrations = ({ name }: BuiltFunction) => /^api\/health(?:\/|$)/.test(name);

/** The place of its package in the lock file. */
const packageOf = (file: string) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];

const packagesOf = ({ files }: BuiltFunction) => [
  ...new Set(files.flatMap((file) => packageOf(file) ?? [])),
];

const textOf = (file: string) => readFileSync(join(projectFolder, file), 'utf8');

/** The chunks of a function that hold the words. */
const chunksWith = ({ files }: BuiltFunction, words: string) =>
  files.filter((file) => /^\.next\/server\/.*\.js$/.test(file) && textOf(file).includes(words));

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
      .parse(JSON.parse(textOf('package-lock.json')));
    const isWrong = (name: string) => !packages[name] || packages[name].dev === true;
    expect(packages['node_modules/jest']?.dev).toBe(true);
    expect(wrong((of) => packagesOf(of).filter(isWrong))).toEqual([]);
  });

  test('has the embedded database, or a package that only commands, the long-lived service and tests use', () => {
    expect(wrong((of) => packagesOf(of).filter((name) => neverPacked.test(name)))).toEqual([]);
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
    expect(textOf('src/database/migrations/migrate.ts')).toContain(written);
    expect(wrong((of) => chunksWith(of, written))).toEqual([]);
  });

  test('does what is due without the demuxer, which its other process loads', () => {
    const logged = 'background job failed to go on';
    expect(textOf('src/background/turn.ts')).toContain(logged);
    const workers = functions.filter((of) => chunksWith(of, logged).length > 0);
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

import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { examine, type Finding, well } from '@/src/cli/doctor/finding';
import { migrate } from '@/src/database/migrations/migrate';
import { env, provideEnv } from '@/src/env';
import { query } from '../database/query';
import { onServer } from '../helpers/locks';
import { doctor, enterAsStranger, withDatabase, withFewSettings } from './doctor';

const databaseUrl = env().DATABASE_URL ?? '';
const folder = withFewSettings();

test('a database with every migration is well, with its version and clock', async () => {
  const { text } = await doctor();
  expect(text).toMatch(/^ok {4}database: .*Postgres \d+.* answers$/m);
  expect(text).toMatch(/^ok {4}migrations: all are applied$/m);
  expect(text).toMatch(/^ok {4}clock: the database's clock is \d/m);
  expect(text).toMatch(/^ok {4}data folder: .* can be written$/m);
  expect(text).toMatch(/^ok {4}bucket: none/m);
});

test('a data folder below a link that leads nowhere must be mended', async () => {
  const link = join(folder, 'link');
  symlinkSync(join(folder, 'gone'), link);
  provideEnv({ DATA_FOLDER: join(link, 'data') });
  expect((await doctor()).about('data folder')).toEqual([
    `MEND  data folder: ${join(link, 'data')} cannot be made: the link ${link} leads nowhere`,
    expect.stringContaining('Make the folder that it leads to'),
  ]);
});

test('of a database that folds all letters, nothing is said about search', async () => {
  expect((await doctor()).about('search')).toEqual([]);
});

// The embedded database has one locale, which folds them all.
onServer('a database in which search tells Ä from ä is doubtful, with what to do', async () => {
  const form = "TEMPLATE template0 ENCODING 'UTF8' LC_CTYPE 'C' LC_COLLATE 'C'";
  await withDatabase(form, async ({ url }) => {
    provideEnv({ DATABASE_URL: url.href });
    expect((await doctor()).about('search')).toEqual([
      expect.stringMatching(/^look/),
      expect.stringContaining('LC_CTYPE'),
    ]);
  });
});

onServer('one that cannot store every letter must be mended, and is never migrated', async () => {
  const form = "TEMPLATE template0 ENCODING 'LATIN1' LC_CTYPE 'C' LC_COLLATE 'C'";
  await withDatabase(form, async ({ url }) => {
    await expect(migrate({ url: url.href, log: () => {} })).rejects.toThrow(
      'The database is encoded LATIN1',
    );
    provideEnv({ DATABASE_URL: url.href });
    const { text, about } = await doctor();
    expect(about('database')).toContainEqual(
      expect.stringMatching(/^MEND .* is encoded LATIN1.* ENCODING 'UTF8'/),
    );
    expect(text).toMatch(/migrations: \d+ are not applied yet/);
  });
});

onServer('what a database refuses, or keeps of what was given up, is found', async () => {
  await withDatabase('', async (made) => {
    const { name, client, url } = made;
    await query(url.href, 'REVOKE CREATE ON SCHEMA public FROM public');
    await enterAsStranger(made);
    expect((await doctor()).about('database')).toContainEqual(
      expect.stringMatching(/^MEND .*: its user may not make tables/),
    );
    for (const limited of ['ROLE', 'DATABASE']) {
      await client.query(`ALTER ${limited} ${name} CONNECTION LIMIT 4`);
      expect((await doctor()).about('database')).toContainEqual(
        expect.stringMatching(/^MEND .*: this instance may open 5 connections, .* has 4$/),
      );
      await client.query(`ALTER ${limited} ${name} CONNECTION LIMIT -1`);
    }
    provideEnv({ WORKERS: '2' });
    expect((await doctor()).about('database')).toContainEqual(
      expect.stringMatching(/^ok .*: this instance may open 15 connections of \d+$/),
    );
    provideEnv({ WORKERS: '1' });
    const isolated = expect.stringMatching(/^MEND .*: its transactions are repeatable read /);
    expect((await doctor()).about('database')).not.toContainEqual(isolated);
    await client.query(`ALTER ROLE ${name} SET default_transaction_isolation = 'repeatable read'`);
    expect((await doctor()).about('database')).toContainEqual(isolated);
    const left = expect.stringMatching(/^look .*: statements that wait for a lock keep/);
    expect((await doctor()).about('database')).toContainEqual(left);
    await client.query(`ALTER DATABASE ${name} SET client_connection_check_interval = '2s'`);
    await client.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    const { code, about } = await doctor();
    expect(code).toBe(1);
    expect(about('database')).not.toContainEqual(left);
    expect(about('database')).toContainEqual(
      expect.stringMatching(/^MEND .*: it takes no writes$/),
    );
  });
});

onServer('settings under which less works are told of, each with what it does', async () => {
  await withDatabase('', async ({ name, client, url }) => {
    provideEnv({ DATABASE_URL: url.href });
    const told = async () =>
      (await doctor())
        .about('database')
        .filter((line) => /: (array_nulls|\w+_digits|\w+_timeout) is /.test(line));
    expect(await told()).toEqual([]);
    for (const setting of ["lock_timeout = '5s'", "statement_timeout = '2min'"]) {
      await client.query(`ALTER DATABASE ${name} SET ${setting}`);
    }
    expect(await told()).toEqual([
      expect.stringMatching(/^look .*: lock_timeout is 5s: /),
      expect.stringMatching(/^look .*: statement_timeout is 2min: /),
    ]);
    for (const setting of ['array_nulls = off', 'extra_float_digits = -5']) {
      await client.query(`ALTER DATABASE ${name} SET ${setting}`);
    }
    expect(await told()).toContainEqual(expect.stringMatching(/^MEND .*: array_nulls is off: /));
    expect(await told()).toContainEqual(
      expect.stringMatching(/^MEND .*: extra_float_digits is -5: /),
    );
    await client.query(`ALTER DATABASE ${name} SET idle_session_timeout = '10s'`);
    expect(await told()).toContainEqual(
      expect.stringMatching(/^look .*: idle_session_timeout is 10s: /),
    );
    await client.query(`ALTER DATABASE ${name} SET idle_session_timeout = '11s'`);
    expect(await told()).not.toContainEqual(expect.stringContaining('idle_session_timeout'));
    await client.query(`ALTER DATABASE ${name} SET statement_timeout = '15min'`);
    expect(await told()).not.toContainEqual(expect.stringContaining('statement_timeout'));
  });
});

onServer(
  'settings under which searches miss rows, or statements take seconds, are told of',
  async () => {
    await withDatabase('', async ({ name, client, url }) => {
      provideEnv({ DATABASE_URL: url.href });
      const set = (setting: string) => client.query(`ALTER DATABASE ${name} SET ${setting}`);
      const told = async () =>
        (await doctor())
          .about('database')
          .flatMap(
            (line) => /^(\w+) .*: ((?:gin|jit|enable)_\w+ is \w+): /.exec(line)?.slice(1) ?? [],
          );
      expect(await told()).toEqual([]);
      await set('gin_fuzzy_search_limit = 1000');
      await set('enable_nestloop = off');
      expect(await told()).toEqual([
        ...['look', 'enable_nestloop is off'],
        ...['MEND', 'gin_fuzzy_search_limit is 1000'],
      ]);
      for (const setting of ['gin_fuzzy_search_limit = 0', 'enable_nestloop = on'])
        await set(setting);
      // Where the server has it.
      const { rows } = await client.query('SELECT pg_jit_available() AS available');
      await set('jit_above_cost = 0');
      expect(await told()).toEqual(rows[0].available ? ['look', 'jit_above_cost is 0'] : []);
      await set('jit = off');
      expect(await told()).toEqual([]);
      for (const setting of ['jit = on', 'jit_above_cost = -1']) await set(setting);
      expect(await told()).toEqual([]);
    });
  },
);

onServer(
  'trigrams in a schema that is not looked in must be mended, as the start says',
  async () => {
    await withDatabase('', async ({ client, name, url }) => {
      const hiding = 'CREATE SCHEMA extensions; CREATE EXTENSION pg_trgm SCHEMA extensions';
      await query(url.href, hiding);
      provideEnv({ DATABASE_URL: url.href });
      const hidden = expect.stringMatching(/^MEND .*: pg_trgm is in the schema extensions, /);
      expect((await doctor()).about('database')).toContainEqual(hidden);
      await expect(migrate({ url: url.href, log: () => {} })).rejects.toThrow(
        /"gin_trgm_ops" does not exist.*\n.*search_path.*\nNothing of it was kept/,
      );
      await client.query(`ALTER DATABASE ${name} SET search_path = public, extensions`);
      expect((await doctor()).about('database')).not.toContainEqual(hidden);
      await migrate({ url: url.href, log: () => {} });
    });
  },
);

onServer('a replica that has none of the tables is one of another database', async () => {
  const url = new URL(databaseUrl);
  url.pathname = '/postgres';
  provideEnv({ DATABASE_READ_URLS: url.href });
  expect((await doctor()).about(`replica ${url.host}/postgres`)).toEqual([
    expect.stringMatching(/^MEND /),
    expect.stringContaining('Name standbys of DATABASE_URL'),
  ]);
});

test('a schema in the address, which is not read, is told of, but for the usual one', async () => {
  const address = (schema: string) => {
    const url = new URL(databaseUrl);
    url.searchParams.set('schema', schema);
    return url.href;
  };
  const told = expect.stringMatching(/^look .*: schema=other in DATABASE_URL is not read/);
  provideEnv({ DATABASE_URL: address('other') });
  expect((await doctor()).about('database')).toContainEqual(told);
  provideEnv({ DATABASE_URL: address('public') });
  expect((await doctor()).text).not.toContain('schema=');
});

test('a database that is not there must be mended, and its password is not told', async () => {
  provideEnv({ DATABASE_URL: 'postgresql://me:s3cret%21@127.0.0.1:1/none' });
  const { code, text, about } = await doctor();
  expect(code).toBe(1);
  expect(about('database')).toEqual([
    expect.stringMatching(/^MEND {2}database: not reached: connect ECONNREFUSED/),
    expect.stringMatching(/→ Check DATABASE_URL/),
  ]);
  expect(text).not.toMatch(/s3cret/);
});

test('a replica that is none, or is not there, must be mended', async () => {
  const { host, pathname } = new URL(databaseUrl);
  const gone = 'postgresql://me:s3cret%21@127.0.0.1:1/none';
  provideEnv({ DATABASE_READ_URLS: `${databaseUrl},${gone}` });
  const { code, text, about } = await doctor();
  expect(code).toBe(1);
  expect(about(`replica ${host}${pathname}`)[0]).toMatch(/^MEND /);
  expect(about('replica 127.0.0.1:1/none')).toEqual([
    expect.stringMatching(/^MEND .*: not asked: connect ECONNREFUSED/),
    expect.stringMatching(/→ .*DATABASE_READ_URLS/),
  ]);
  expect(text).not.toMatch(/s3cret/);
});

test.each(['x', '--x'])('an argument that it does not know is exit code 2: %s', async (given) => {
  const { code, text } = await doctor([given]);
  expect(code).toBe(2);
  expect(text).toMatch(/^Un.* Add -- --help to see the usage\.$/);
});

test('variables that cannot be read are all that it says', async () => {
  provideEnv({ WORKERS: 'many' });
  const { code, text } = await doctor();
  expect(code).toBe(1);
  expect(text).toMatch(
    /^MEND {2}environment: [\s\S]*WORKERS: must be auto or a whole number from 1 to 64/,
  );
});

test('nothing is waited for longer than its time, and what throws is a finding', async () => {
  const findings: Finding[] = [];
  const checks = [
    { about: 'silent', look: () => new Promise<Finding[]>(() => {}) },
    { about: 'broken', look: () => Promise.reject(new Error('no')) },
    { about: 'fine', look: async () => [well('fine', 'yes')] },
  ];
  for await (const finding of examine(checks, 20)) findings.push(finding);
  expect(findings.map(({ about, state, says }) => [about, state, says])).toEqual([
    ['silent', 'bad', 'no answer within 0.02 s'],
    ['broken', 'bad', 'no'],
    ['fine', 'well', 'yes'],
  ]);
});

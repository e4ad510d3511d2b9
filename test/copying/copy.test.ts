import { copyInto } from '@/src/copying/copy';
import { withConnection } from '@/src/copying/places';
import { type Source, withDatabaseSource } from '@/src/copying/source';
import { migrate } from '@/src/database/migrations/migrate';
import { startScript } from '../database/processes';
import { query } from '../database/query';
import { onServer } from '../helpers/locks';
import { contentOf, openEmbeddedEmpty, openEmpty, schemaOf } from './databases';
import { makeMigrations, oddDatabases } from './odd-rows';

/** Databases and processes are started here, which takes long where much else runs. */
jest.setTimeout(240_000);

const { migrations, open, move, ...odd } = oddDatabases();

const openFilled = (kind = openEmbeddedEmpty, options = {}) => odd.openFilled(kind, options);

test('from an embedded database to another one and back, every value and the schema stay', async () => {
  const first = await openFilled();
  const second = await open(openEmpty);
  const tallies = await move(first, second);
  expect(tallies.get('things')?.rows).toBe(10);
  const third = await open(openEmbeddedEmpty);
  await move(second, third);
  const content = await contentOf(first);
  expect(Object.keys(content)).toHaveLength(12);
  expect(await contentOf(second)).toEqual(content);
  expect(await contentOf(third)).toEqual(content);
  expect(await schemaOf(third)).toEqual(await schemaOf(first));
  expect(await query(third, `SELECT to_regclass('unfinished_copy') AS name`)).toEqual([
    { name: null },
  ]);
});

onServer('what is written while a database is read is not of what is read', async () => {
  const url = await openFilled(openEmpty);
  const rows = await withConnection({ url }, (client) =>
    withDatabaseSource(client, { isLocked: false }, async ({ blocks }) => {
      await query(url, `INSERT INTO owners (name) VALUES ('written meanwhile')`);
      const read: string[] = [];
      for await (const block of blocks(new Map())) read.push(block.rows.toString());
      return read.join('');
    }),
  );
  expect(rows).toMatch('Zoë');
  expect(rows).not.toMatch('written meanwhile');
});

onServer('no part of a database is dropped while it is read', async () => {
  const url = await openFilled(openEmpty);
  await withConnection({ url }, (client) =>
    withDatabaseSource(client, { isLocked: false }, async () => {
      const dropping = query(url, `SET lock_timeout = '10ms'; DROP TABLE log_20260101`);
      await expect(dropping).rejects.toThrow('lock timeout');
    }),
  );
});

test('what counts on goes on: identities, sequences, triggers that were on, and none that was off', async () => {
  const [first, second] = [await openFilled(), await open(openEmpty)];
  await move(first, second);
  const [{ next } = {}] = await query(first, `SELECT max(id) + 3 AS next FROM things`);
  const [count] = await query(second, `SELECT thing_count FROM owners WHERE name = 'Zoë'`);
  expect(
    await query(
      second,
      `INSERT INTO things (owner_id) SELECT id FROM owners WHERE name = 'Zoë' RETURNING id > 12 AS is_next`,
    ),
  ).toEqual([{ is_next: true }]);
  expect(next).toBeDefined();
  expect(await query(second, `SELECT nextval('tickets')::int AS ticket`)).toEqual([{ ticket: 42 }]);
  expect(await query(second, `SELECT thing_count FROM owners WHERE name = 'Zoë'`)).toEqual([
    { thing_count: Number(count?.thing_count) + 1 },
  ]);
});

test('the source cannot be written to meanwhile, and can afterwards', async () => {
  const [first, second] = [await openFilled(openEmpty), await open(openEmbeddedEmpty)];
  const during: unknown[] = [];
  await withConnection({ url: first }, (client) =>
    withDatabaseSource(client, { isLocked: true }, async (source) => {
      const { rows } = await client.query(
        `SELECT count(*)::int AS n FROM pg_locks WHERE mode = 'ShareLock' AND locktype = 'relation'`,
      );
      during.push(rows[0]?.n);
      await copyInto(second, source, { say: () => {}, migrations });
    }),
  );
  expect(during).toEqual([expect.any(Number)]);
  expect(during[0]).toBeGreaterThanOrEqual(5);
  await query(first, 'DELETE FROM log');
});

test('a target that is not empty is refused, and stays as it is', async () => {
  const [first, second] = [await openFilled(), await open(openEmpty)];
  await query(second, 'CREATE TABLE precious (n int)');
  await expect(move(first, second)).rejects.toThrow('not empty: it has the table precious');
  expect(Object.keys(await contentOf(second))).toEqual(['precious']);
  await query(second, 'DROP TABLE precious');
  // Migrated and without rows, as a service leaves it that was started there once.
  await migrate({ url: second, folder: migrations, log: () => {} });
  await query(second, `INSERT INTO owners (name) VALUES ('Ada')`);
  await expect(move(first, second)).rejects.toThrow('not empty: it has the table owners');
  await query(second, `DELETE FROM owners`);
  await move(first, second);
  expect(await contentOf(second)).toEqual(await contentOf(first));
});

onServer('a database that is moved into itself, by another address, is told as such', async () => {
  const url = await openFilled(openEmpty);
  const other = new URL(url);
  other.searchParams.set('connect_timeout', '10');
  await expect(move(url, other.href)).rejects.toThrow('it is the database that is copied');
});

test('a table that somebody has changed by hand is told of, and nothing is begun', async () => {
  const [first, second] = [await openFilled(), await open(openEmpty)];
  for (const [change, back, name] of [
    ['ALTER TABLE owners ADD COLUMN note text', 'ALTER TABLE owners DROP COLUMN note', 'owners'],
    ['CREATE TABLE notes (n int)', 'DROP TABLE notes', 'notes'],
  ] as const) {
    await query(first, change);
    await expect(move(first, second)).rejects.toThrow(
      `The table ${name} is not the same here and there`,
    );
    await query(first, back);
  }
  await query(second, 'CREATE TABLE notes (n int)');
  await expect(move(first, second)).rejects.toThrow('The table notes is not the same');
  await query(second, 'DROP TABLE notes');
  await move(first, second);
});

test('a service that is using either side is told of, and nothing is begun', async () => {
  const server = process.env.TEST_DATABASE_URL;
  // The embedded database does not show who is connected: there, the lock of the folder tells.
  if (!server) return;
  const [first, second] = [await openFilled(openEmpty), await open(openEmpty)];
  for (const [used, reason] of [
    [first, 'A service is using the database'],
    [second, /^A service is using 127\.0\.0\.1:\d+\/\w+ \(/],
  ] as const) {
    const address = new URL(used);
    address.searchParams.set('application_name', 'testimonials');
    await withConnection({ url: used }, async (client) => {
      await client.query(`SET application_name = 'testimonials'`);
      await expect(move(first, second)).rejects.toThrow(reason);
    });
  }
  expect(await contentOf(second)).toEqual({});
});

test('while rows are missing, no service uses the target, and nothing else is copied into or from it', async () => {
  const [first, other, second] = [await openFilled(), await openFilled(), await open(openEmpty)];
  const unplugged = (source: Source): Source => ({
    ...source,
    async *blocks() {
      yield* [];
      throw new Error('The plug was pulled');
    },
  });
  await expect(move(first, second, { of: unplugged })).rejects.toThrow('The plug was pulled');
  await expect(migrate({ url: second, folder: migrations, log: () => {} })).rejects.toThrow(
    'was interrupted',
  );
  await expect(move(other, second)).rejects.toThrow('unfinished copy of something else');
  const third = await open(openEmpty);
  await expect(move(second, third)).rejects.toThrow('was interrupted');
  expect(await contentOf(third)).toEqual({});
  const backUp = withConnection({ url: second }, (client) =>
    withDatabaseSource(client, { isLocked: false }, async () => {}),
  );
  await expect(backUp).rejects.toThrow('was interrupted');
  await move(first, second);
  expect(await migrate({ url: second, folder: migrations, log: () => {} })).toEqual({
    applied: [],
  });
});

test('cut before there are rows, no service begins to use what the migrations made, and it goes on', async () => {
  const folder = makeMigrations({ isNewer: true });
  const [first, other, second] = [await openFilled(), await openFilled(), await open(openEmpty)];
  const migrateTo = (url: string) => migrate({ url, folder, log: () => {} });
  for (const url of [first, other]) await migrateTo(url);
  const applied: string[] = [];
  for (const begun of [first, other]) {
    const cut = move(begun, second, {
      folder,
      say: (line) => {
        applied.push(line);
        throw new Error('The plug was pulled');
      },
    });
    await expect(cut).rejects.toThrow('The plug was pulled');
    await expect(migrateTo(second)).rejects.toThrow('was interrupted');
  }
  expect(applied).toEqual([expect.stringMatching('first'), expect.stringMatching('second')]);
  await move(first, second, { folder });
  expect(await contentOf(second)).toEqual(await contentOf(first));
  expect(await migrateTo(second)).toEqual({ applied: [] });
});

test('rows that do not arrive as they were are told of, and the target stays unusable', async () => {
  const [first, second] = [await openFilled(), await open(openEmpty)];
  const losing = (source: Source): Source => ({
    ...source,
    async *blocks(done) {
      for await (const block of source.blocks(done)) {
        yield block;
        if (block.table === 'spread') await query(second, 'DELETE FROM spread WHERE n = 7');
      }
    },
  });
  const withLoss = move(first, second, { of: losing });
  await expect(withLoss).rejects.toThrow(/The table spread differs: 100 rows .* and 99 with/);
  await expect(migrate({ url: second, folder: migrations, log: () => {} })).rejects.toThrow(
    'was interrupted',
  );
});

/** A server goes on for a while with what a killed process has asked for, and keeps others from copying. */
async function untilNobodyCopies(url: string): Promise<void> {
  const copying = `SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'testimonials copying'`;
  while ((await query(url, copying)).length > 0);
}

test('killed at any block and while indexes are built, it goes on and ends with the same rows', async () => {
  const [first, second] = [
    await openFilled(openEmbeddedEmpty, { isLarge: true }),
    await open(openEmpty),
  ];
  let goneOn = 0;
  for (let blocks = 1; ; blocks += 2) {
    const child = startScript('../copying/copying-process.ts', first, second, migrations);
    let stored = 0;
    let line = await child.nextLine();
    for (; line !== undefined && line !== 'done'; line = await child.nextLine()) {
      if (line.startsWith('Going on')) goneOn++;
      if (line.startsWith('stored') && ++stored >= blocks) break;
      child.write('go on');
    }
    // It stores the next block by now, or builds what was put off.
    child.write('go on');
    await child.kill();
    await untilNobodyCopies(second);
    if (line === 'done') break;
    expect(line).toBeDefined();
  }
  expect(goneOn).toBeGreaterThan(1);
  expect(await contentOf(second)).toEqual(await contentOf(first));
  // By name: another version of Postgres may word a definition otherwise.
  const names = async (url: string) => (await schemaOf(url)).map(({ kind, name }) => [kind, name]);
  expect(await names(second)).toEqual(await names(first));
});

test('what changed between two tries is copied as it is in the end', async () => {
  const [first, second] = [await openFilled(), await open(openEmpty)];
  const child = startScript('../copying/copying-process.ts', first, second, migrations);
  for (let stored = 0; stored < 5; ) {
    const line = await child.nextLine();
    expect(line).toBeDefined();
    if (line?.startsWith('stored')) {
      stored++;
      if (stored < 5) child.write('go on');
    }
  }
  await child.kill();
  await untilNobodyCopies(second);
  await query(
    first,
    `UPDATE spread SET n = -n WHERE n = 5; DELETE FROM log; UPDATE owners SET name = 'Zora' WHERE name = 'Zoë'`,
  );
  const said: string[] = [];
  await move(first, second, { say: (line) => said.push(line) });
  expect(said).toContainEqual(expect.stringMatching(/^owners has changed in between/));
  expect(await contentOf(second)).toEqual(await contentOf(first));
});

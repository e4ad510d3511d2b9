import { createHash } from 'node:crypto';
import fs, {
  existsSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  promises,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { backupSource, verifyBackup, writeBackup } from '@/src/copying/backup-file';
import { withClone } from '@/src/copying/clone';
import { copyInto } from '@/src/copying/copy';
import { withConnection } from '@/src/copying/places';
import { type Positions, withDatabaseSource } from '@/src/copying/source';
import { defaultFolder, readMigrations } from '@/src/database/migrations/files';
import { migrate } from '@/src/database/migrations/migrate';
import { startScript } from '../database/processes';
import { query } from '../database/query';
import { contentOf, openEmbeddedEmpty, openEmpty, schemaOf } from './databases';
import { makeMigrations, oddDatabases } from './odd-rows';

/** Databases and processes are started here, which takes long where much else runs. */
jest.setTimeout(240_000);

const folder = mkdtempSync(join(tmpdir(), 'backup-'));
let file: string;
const { migrations, open, openFilled } = oddDatabases();
let files = 0;

beforeEach(() => {
  file = join(folder, `${++files}.backup`);
});
afterAll(() => rmSync(folder, { recursive: true }));

const backUp = (url: string, path = file) =>
  withConnection({ url }, (client) =>
    withDatabaseSource(client, { isLocked: false }, (source) =>
      writeBackup(path, source, { now: new Date('2026-01-01T00:00:00Z'), onBlock: () => {} }),
    ),
  );

/** A backup of a database without tables, which takes none to make. */
const writeEmpty = () => {
  const source = { id: 'source', migrations: [], tables: [], sequences: [], async *blocks() {} };
  return writeBackup(file, source, { now: new Date(), onBlock: () => {} });
};

async function restore(url: string, known: string | undefined = migrations) {
  const header = await verifyBackup(file);
  return copyInto(url, backupSource(file, header), { say: () => {}, migrations: known });
}

test('a backup brings back every value and the schema, in an empty database alone', async () => {
  const first = await openFilled();
  const second = await open(openEmbeddedEmpty);
  await backUp(first);
  await restore(second);
  expect(await contentOf(second)).toEqual(await contentOf(first));
  expect((await schemaOf(second)).length).toBe((await schemaOf(first)).length);
  await expect(restore(second)).rejects.toThrow('not empty');
});

test('a backup is read by nobody but whoever made it', async () => {
  await writeEmpty();
  expect(statSync(file).mode & 0o077).toBe(0);
});

test('a backup is on the disk, all of it, before it gets its name', async () => {
  const steps: unknown[] = [];
  const [{ fsync }, { link }] = [fs, promises];
  jest.spyOn(fs, 'fsync').mockImplementation((descriptor, done) =>
    fsync(descriptor, (error) => {
      steps.push(fstatSync(descriptor).size);
      done(error);
    }),
  );
  jest.spyOn(promises, 'link').mockImplementation((...paths) => {
    steps.push('named');
    return link(...paths);
  });
  await writeEmpty();
  expect(steps).toEqual([statSync(file).size, 'named']);
});

test('a newer service restores the backup of an older one, and its migrations find the rows', async () => {
  const [first, second] = [await openFilled(), await open(openEmbeddedEmpty)];
  await backUp(first);
  await restore(second, makeMigrations({ isNewer: true }));
  expect(await query(second, 'SELECT count(*)::int AS n FROM things')).toEqual([{ n: 10 }]);
  expect(await query(second, `SELECT mark FROM things ORDER BY id LIMIT 1`)).toEqual([
    { mark: 'from before 1' },
  ]);
});

test('the backup of a service from before its counts has them after it is restored', async () => {
  const [first, second] = [await open(openEmpty), await open(openEmbeddedEmpty)];
  const names = readMigrations(defaultFolder()).map(({ name }) => name);
  const only = new Set(names.slice(0, names.indexOf('20261121040000_counts_versions_search')));
  await migrate({ url: first, only, log: () => {} });
  await query(
    first,
    `INSERT INTO users (name, email) VALUES ('Ada', 'ada@example.com');
     INSERT INTO spaces (user_id, name, slug) SELECT id, 'A space', 'a-space' FROM users;
     INSERT INTO testimonials (space_id, user_id, type, submitter_name, text_content)
     SELECT id, user_id, 'text', 'Grace', 'Number ' || n FROM spaces, generate_series(1, 300) n`,
  );
  await backUp(first);
  const header = await verifyBackup(file);
  expect(header.migrations).toEqual([...only]);
  await copyInto(second, backupSource(file, header), { say: () => {} });
  expect(
    await query(
      second,
      `SELECT testimonial_count AS kept, stored_bytes > 300 * 300 AS has_bytes,
         (SELECT sum(count)::int FROM testimonial_counts) AS counted,
         (SELECT count(*)::int FROM testimonial_texts) AS texts FROM users`,
    ),
  ).toEqual([{ kept: 300, has_bytes: true, counted: 300, texts: 300 }]);
});

test('an older service refuses the backup of a newer one', async () => {
  const first = await open(openEmpty);
  await migrate({ url: first, folder: makeMigrations({ isNewer: true }), log: () => {} });
  await backUp(first);
  const second = await open(openEmbeddedEmpty);
  await expect(restore(second)).rejects.toThrow('a newer version has made it. Copy it with');
  expect(await contentOf(second)).toEqual({});
});

test('a file that breaks off, was changed, or is something else is found before anything is stored', async () => {
  await backUp(await openFilled());
  const whole = readFileSync(file);
  const content = gunzipSync(whole).toString('latin1');
  const packed = (text: string) => gzipSync(Buffer.from(text, 'latin1'));
  /** As somebody packs it who knows the format: by its checksum it is whole. */
  const sealed = (text: string) => {
    const end = text.lastIndexOf('{"tallies"');
    const sha256 = createHash('sha256').update(text.slice(0, end), 'latin1').digest('hex');
    expect(text).not.toBe(content);
    return packed(text.slice(0, end) + text.slice(end).replace(/(?<="sha256":")\w+/, sha256));
  };
  /** The blocks of a table left out: each has a line, and as many bytes as that says. */
  const without = (table: string) => {
    const begin = `\n{"table":"${table}"`;
    let text = content;
    for (let at = text.indexOf(begin); at !== -1; at = text.indexOf(begin)) {
      const rowsAt = text.indexOf('\n', at + 1) + 1;
      const { bytes } = JSON.parse(text.slice(at, rowsAt));
      text = text.slice(0, at + 1) + text.slice(rowsAt + bytes);
    }
    return text;
  };
  const damaged: Record<string, Buffer> = {
    empty: Buffer.alloc(0),
    'something else': Buffer.from('PGDMP and so on'),
    'without its last byte': whole.subarray(0, -1),
    'cut in the middle': whole.subarray(0, whole.length >> 1),
    'without its last line': packed(content.slice(0, content.lastIndexOf('{"tallies"'))),
    'one value changed and packed again': packed(content.replace('key 77\t77', 'key 77\t78')),
    'a row missing and packed again': packed(content.replace('key 77\t77\n', '')),
    'a sequence set back and packed again': packed(
      content.replace(/"value":"\d+"/, '"value":"999999"'),
    ),
    'something at its end': packed(`${content}\n`),
    'another format': packed(content.replace('backup 1', 'backup 2')),
    'one value changed and sealed': sealed(content.replace('key 77\t77', 'key 77\t78')),
    'a table without any of its rows and sealed': sealed(without('things')),
    'a name that is a statement': sealed(
      content.replace('"name":"log"', '"name":"log; DROP TABLE x"'),
    ),
    'a column that is an expression': sealed(
      content.replace('"columns":["', '"columns":["now(), '),
    ),
    'a bound that calls a function': sealed(
      content.replace(/"bound":"[^"]+"/, '"bound":"FOR VALUES IN (pg_sleep(1))"'),
    ),
    'a bound with a statement before it': sealed(
      content.replace('"bound":"', '"bound":"DEFAULT; DROP TABLE x; FOR VALUES IN (1)'),
    ),
    'a block of less than nothing': sealed(content.replace(/"bytes":\d+/, '"bytes":-1')),
  };
  for (const at of [100, 1000, whole.length - 100]) {
    const copy = Buffer.from(whole);
    copy[at] = (copy[at] ?? 0) ^ 1;
    damaged[`a bit turned at ${at}`] = copy;
  }
  for (const [damage, bytes] of Object.entries(damaged)) {
    writeFileSync(file, bytes);
    const outcome = await verifyBackup(file).then(
      () => 'accepted',
      (error: Error) => error.message,
    );
    expect([damage, outcome]).toEqual([
      damage,
      expect.stringContaining('no backup that can be used'),
    ]);
  }
  const { 'another format': later = whole } = damaged;
  writeFileSync(file, later);
  await expect(verifyBackup(file)).rejects.toThrow(
    'another version of the service wrote it, restore it with that one or a newer. Nothing was changed.',
  );
  writeFileSync(file, whole);
  expect((await verifyBackup(file)).takenAt).toBe('2026-01-01T00:00:00.000Z');
});

test('a restore that was interrupted goes on with the same file, and with no other', async () => {
  const [first, second] = [await openFilled(), await open(openEmbeddedEmpty)];
  await backUp(first);
  const header = await verifyBackup(file);
  const source = backupSource(file, header);
  let stored = 0;
  const breaking = {
    ...source,
    async *blocks(done: Positions) {
      for await (const block of source.blocks(done)) {
        if (++stored > 3) throw new Error('The plug was pulled');
        yield block;
      }
    },
  };
  const options = { say: () => {}, migrations };
  await expect(copyInto(second, breaking, options)).rejects.toThrow('The plug was pulled');
  const other = join(folder, 'other.backup');
  await backUp(first, other);
  await expect(
    copyInto(second, backupSource(other, await verifyBackup(other)), options),
  ).rejects.toThrow('unfinished copy of something else');
  await restore(second);
  expect(await contentOf(second)).toEqual(await contentOf(first));
});

test('a backup that takes the place of one that was checked is not read in its name', async () => {
  await writeEmpty();
  const source = backupSource(file, await verifyBackup(file));
  const read = async () => {
    for await (const _ of source.blocks(new Map())) throw new Error('There is none.');
  };
  await read();
  rmSync(file);
  await writeEmpty();
  await expect(read()).rejects.toThrow('has become another backup since it was checked');
});

test('while a service writes, its backup is of one moment, and the service goes on', async () => {
  const data = join(folder, 'served');
  const service = startScript('../copying/serving-process.ts', data);
  let written = 0;
  const until = async (number: number) => {
    while (written < number) {
      const line = await service.nextLine();
      if (line === undefined) throw new Error('The service has ended');
      written = Number(line);
    }
  };
  try {
    await until(20);
    const before = written;
    // What killed processes have left, one of which had the number that this one has.
    for (const pid of [process.pid, 999_999_999]) {
      mkdirSync(join(data, `clone-${pid}`, 'left-behind'), { recursive: true });
    }
    const heldMs = await withClone(data, async (clone) => {
      expect(readdirSync(data).filter((name) => name.startsWith('clone-'))).toHaveLength(1);
      expect(readdirSync(clone.folder)).toEqual(['postgres']);
      await withConnection({ folder: clone.folder }, (client) =>
        withDatabaseSource(client, { isLocked: false }, (source) =>
          writeBackup(file, source, { now: new Date(), onBlock: () => {} }),
        ),
      );
      return clone.heldMs;
    });
    expect(heldMs).toBeGreaterThan(0);
    const pids = readdirSync(data).filter((name) => name.startsWith('clone-'));
    expect(pids).toEqual([]);
    // Those that it had confirmed by then lie in the pipe.
    await until(before + 5);

    const target = await open(openEmpty);
    await copyInto(target, backupSource(file, await verifyBackup(file)), { say: () => {} });
    const [counts] = await query(
      target,
      `SELECT (SELECT count(*)::int FROM testimonials) AS rows,
         (SELECT count(DISTINCT text_content)::int FROM testimonials) AS pairs,
         (SELECT testimonial_count FROM users) AS counted,
         (SELECT sum(count)::int FROM testimonial_counts) AS by_status,
         (SELECT count(*)::int FROM testimonial_texts) AS texts`,
    );
    const rows = Number(counts?.rows);
    expect(rows).toBeGreaterThanOrEqual(2 * before);
    expect(counts).toEqual({ rows, pairs: rows / 2, counted: rows, by_status: rows, texts: rows });
  } finally {
    await service.kill();
  }
  expect(existsSync(file)).toBe(true);
});

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withConnection } from '@/src/copying/places';
import type { Block } from '@/src/copying/read-blocks';
import type { Source } from '@/src/copying/source';
import { migrate } from '@/src/database/migrations/migrate';
import { query } from '../database/query';
import { onServer } from '../helpers/locks';
import { contentOf, openEmpty, schemaOf } from './databases';
import { makeMigrations, oddDatabases } from './odd-rows';

/** Databases are made here, which takes long where much else runs. */
jest.setTimeout(240_000);

const newer = makeMigrations({ isNewer: true });
const { open, move, ...odd } = oddDatabases();

/** Its log has days and nothing besides. */
async function openFilled(): Promise<string> {
  const url = await odd.openFilled();
  await query(url, 'DROP TABLE log_default');
  return url;
}

/** The source as it is, of which reading fails behind this block; blocks are counted from 1. */
const breakingOffBehind =
  (isLast: (block: Block, number: number) => boolean) =>
  (source: Source): Source => ({
    ...source,
    async *blocks(done) {
      let number = 0;
      for await (const block of source.blocks(done)) {
        yield block;
        number += 1;
        if (isLast(block, number)) throw new Error('broke off');
      }
    },
  });

const breakingOff = breakingOffBehind((_, number) => number === 2);

test('a part of a table that was added to the source between two tries is made in the target', async () => {
  const [first, second] = [await openFilled(), await open(openEmpty)];
  await expect(move(first, second, { of: breakingOff })).rejects.toThrow('broke off');
  await query(
    first,
    `CREATE TABLE log_20260109 PARTITION OF log
       FOR VALUES FROM ('2026-01-09 00:00:00+00') TO ('2026-01-10 00:00:00+00');
     INSERT INTO log VALUES ('2026-01-09 10:00+00', 'in a new day')`,
  );
  await move(first, second);
  expect(await contentOf(second)).toEqual(await contentOf(first));
  expect(await schemaOf(second)).toEqual(await schemaOf(first));
});

test('so is one for rows that were in the part for all others before', async () => {
  const [first, second] = [await odd.openFilled(), await open(openEmpty)];
  const breakingOffInDefault = breakingOffBehind(({ piece }) => piece === 'log_default');
  await expect(move(first, second, { of: breakingOffInDefault })).rejects.toThrow('broke off');
  await query(
    first,
    `ALTER TABLE log DETACH PARTITION log_default;
     CREATE TABLE log_20200101 PARTITION OF log
       FOR VALUES FROM ('2020-01-01 00:00:00+00') TO ('2020-01-02 00:00:00+00');
     INSERT INTO log SELECT * FROM log_default;
     TRUNCATE log_default;
     ALTER TABLE log ATTACH PARTITION log_default DEFAULT`,
  );
  await move(first, second);
  expect(await contentOf(second)).toEqual(await contentOf(first));
  expect(await schemaOf(second)).toEqual(await schemaOf(first));
});

test('rows of which it cannot be noted that they are stored are not, and come once', async () => {
  const [first, second] = [await openFilled(), await open(openEmpty)];
  const unnotable = (source: Source): Source => ({
    ...source,
    async *blocks(done) {
      for await (const block of source.blocks(done)) {
        // No text of Postgres has that character.
        yield block.table === 'owners' ? { ...block, piece: 'owners\0' } : block;
      }
    },
  });
  await expect(move(first, second, { of: unnotable })).rejects.toThrow('invalid byte sequence');
  await move(first, second);
  expect(await contentOf(second)).toEqual(await contentOf(first));
});

test('a source that was migrated between two tries is told of, and its migration is not made twice', async () => {
  const [first, second] = [await openFilled(), await open(openEmpty)];
  await expect(move(first, second, { of: breakingOff })).rejects.toThrow('broke off');
  await migrate({ url: first, folder: newer, log: () => {} });
  await expect(move(first, second, { folder: newer })).rejects.toThrow(
    'The source has got the migration 20260102000000_second since the copy into the target began. ' +
      'Empty the target and begin anew',
  );
  await expect(migrate({ url: second, folder: newer, log: () => {} })).rejects.toThrow(
    'was interrupted',
  );
});

test('cut when all is copied, the next try says so, and one of another source does not', async () => {
  const [first, second] = [await openFilled(), await open(openEmpty)];
  const failing = makeMigrations();
  mkdirSync(join(failing, '20260103000000_failing'));
  writeFileSync(join(failing, '20260103000000_failing', 'migration.sql'), 'SELECT 1 / 0');
  await expect(move(first, second, { folder: failing })).rejects.toThrow('division by zero');
  const content = await contentOf(second);
  expect(content).toEqual(await contentOf(first));
  await expect(move(first, second)).rejects.toThrow(
    'The target is not empty: the copy into it is complete, and a service can be started with it.',
  );
  await expect(move(await openFilled(), second)).rejects.toThrow('it has the table');
  expect(await contentOf(second)).toEqual(content);
});

onServer(
  'cut while it learns what its rows are like, it is not complete, and goes on',
  async () => {
    const [first, second] = [await openFilled(), await open(openEmpty)];
    await withConnection({ url: second }, async (holder) => {
      // Of a table for which nothing is built in the end: it is the last statement alone that waits.
      const holding = (source: Source): Source => ({
        ...source,
        async *blocks(done) {
          await holder.query(`BEGIN; LOCK TABLE "Odd ""name""" IN SHARE UPDATE EXCLUSIVE MODE`);
          yield* source.blocks(done);
        },
      });
      let isOver = false;
      const copying = move(first, second, { of: holding })
        .catch((error: Error) => error.message)
        .finally(() => {
          isOver = true;
        });
      let ended: unknown[] = [];
      while (ended.length === 0 && !isOver) {
        ended = await query(
          second,
          `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query = 'ANALYZE'`,
        );
      }
      expect(await copying).toMatch(/terminat|connection/i);
      await holder.query('ROLLBACK');
    });
    await move(first, second);
    expect(await contentOf(second)).toEqual(await contentOf(first));
    const known = `SELECT EXISTS (SELECT FROM pg_stats WHERE tablename = 'things') AS known`;
    expect(await query(second, known)).toEqual([{ known: true }]);
  },
);

onServer(
  'where the connection to either database is cut, the message says of which, why, and what to do',
  async () => {
    const [first, second] = [await openFilled(), await open(openEmpty)];
    for (const cut of [first, second]) {
      const { host, pathname } = new URL(cut);
      const cutting = (source: Source): Source => ({
        ...source,
        async *blocks(done) {
          for await (const block of source.blocks(done)) {
            yield block;
            await query(
              cut,
              `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
             WHERE datname = current_database() AND application_name = 'testimonials copying'`,
            );
          }
        },
      });
      await expect(move(first, second, { of: cutting })).rejects.toThrow(
        `The connection to the database ${host}${pathname} was lost: terminating connection due to ` +
          'administrator command. Once it can be reached, run the same command again.',
      );
    }
    await move(first, second);
    expect(await contentOf(second)).toEqual(await contentOf(first));
  },
);

import { copyInto, createProgressReport } from '@/src/copying/copy';
import { withConnection } from '@/src/copying/places';
import { type Source, withDatabaseSource } from '@/src/copying/source';
import { migrate } from '@/src/database/migrations/migrate';
import { query } from '../database/query';
import { onServer } from '../helpers/locks';
import { openEmpty } from './databases';
import { makeMigrations, oddDatabases } from './odd-rows';

/** Databases are made here, which takes long where much else runs. */
jest.setTimeout(240_000);

const newer = makeMigrations({ isNewer: true });
const { migrations, open, openFilled, move } = oddDatabases();

onServer('while one process copies into a database, another one does not', async () => {
  const [first, second] = [await openFilled(), await open(openEmpty)];
  const meanwhile: unknown[] = [];
  const beside = (source: Source): Source => ({
    ...source,
    async *blocks(done) {
      const another = copyInto(second, source, { say: () => {}, migrations });
      meanwhile.push(await another.catch((error: Error) => error.message));
      yield* source.blocks(done);
    },
  });
  await move(first, second, { of: beside });
  expect(meanwhile).toEqual([expect.stringMatching(/^Another process is copying into the target/)]);
});

test('a target of a newer version than the data is refused, and stays as it is', async () => {
  const [first, second] = [await openFilled(), await open(openEmpty)];
  await migrate({ url: second, folder: newer, log: () => {} });
  await expect(move(first, second, { folder: newer })).rejects.toThrow(
    'The target has the migration 20260102000000_second',
  );
  expect(await migrate({ url: second, folder: newer, log: () => {} })).toEqual({ applied: [] });
});

test('a migration that failed, or was taken back, is none of those that the data was made with', async () => {
  const first = await openFilled();
  await query(
    first,
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, rolled_back_at)
     VALUES ('a', '', 'failed', now() - interval '1 hour', NULL, NULL),
       ('b', '', 'taken back', now() - interval '1 hour', now(), now())`,
  );
  const described = await withConnection({ url: first }, (client) =>
    withDatabaseSource(client, { isLocked: true }, async ({ id, migrations }) => ({
      id,
      migrations,
    })),
  );
  expect(described.migrations).toEqual(['20260101000000_first']);
  expect(['a', 'b']).not.toContain(described.id);
});

test('a database that was copied into knows what its rows are like, as its plans need', async () => {
  const [first, second] = [await openFilled(), await open(openEmpty)];
  await move(first, second);
  const known = `SELECT EXISTS (SELECT FROM pg_stats WHERE tablename = 'things') AS known`;
  expect(await query(second, known)).toEqual([{ known: true }]);
});

test('how far a table is is said each time that another hundred thousand rows are done', () => {
  const said: string[] = [];
  const report = createProgressReport((line) => said.push(line));
  for (const rows of [99_999, 100_000, 150_000, 199_999, 250_000, 349_999, 350_000]) {
    report('things', { rows, checksum: '' });
  }
  report('others', { rows: 100_000, checksum: '' });
  expect(said).toEqual([
    'things: 100,000 rows',
    'things: 250,000 rows',
    'things: 350,000 rows',
    'others: 100,000 rows',
  ]);
});

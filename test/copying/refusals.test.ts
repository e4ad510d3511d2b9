import { copyInto, createProgressReport } from '@/src/copying/copy';
import { withConnection } from '@/src/copying/places';
import { type Source, withDatabaseSource } from '@/src/copying/source';
import { migrate } from '@/src/database/migrations/migrate';
import { query } from '../database/query';
import { onServer } from '../helpers/locks';
import { databasesOfTests, execute, openEmpty } from './databases';
import { filled, makeMigrations } from './odd-rows';

/** Databases are made here, which takes long where much else runs. */
jest.setTimeout(240_000);

const migrations = makeMigrations();
const newer = makeMigrations({ isNewer: true });
const open = databasesOfTests();

/** A database with rows, as a service would have left it. */
async function openFilled(): Promise<string> {
  return filled(await open(openEmpty), migrations);
}

const withSource = <T>(url: string, use: (source: Source) => Promise<T>) =>
  withConnection({ url }, (client) => withDatabaseSource(client, { isLocked: true }, use));

const options = { say: () => {}, migrations };

onServer('while one process copies into a database, another one does not', async () => {
  const [first, second] = [await openFilled(), await open(openEmpty)];
  const meanwhile: unknown[] = [];
  await withSource(first, (source) => {
    const beside: Source = {
      ...source,
      async *blocks(done) {
        meanwhile.push(
          await copyInto(second, source, options).catch((error: Error) => error.message),
        );
        yield* source.blocks(done);
      },
    };
    return copyInto(second, beside, options);
  });
  expect(meanwhile).toEqual([expect.stringMatching(/^Another process is copying into the target/)]);
});

test('a target of a newer version than the data is refused, and stays as it is', async () => {
  const [first, second] = [await openFilled(), await open(openEmpty)];
  await migrate({ url: second, folder: newer, log: () => {} });
  const copying = withSource(first, (source) =>
    copyInto(second, source, { ...options, migrations: newer }),
  );
  await expect(copying).rejects.toThrow('The target has the migration 20260102000000_second');
  expect(await migrate({ url: second, folder: newer, log: () => {} })).toEqual({ applied: [] });
});

test('a migration that failed, or was taken back, is none of those that the data was made with', async () => {
  const first = await openFilled();
  await execute(
    first,
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, rolled_back_at)
     VALUES ('a', '', 'failed', now() - interval '1 hour', NULL, NULL),
       ('b', '', 'taken back', now() - interval '1 hour', now(), now())`,
  );
  const described = await withSource(first, async ({ id, migrations }) => ({ id, migrations }));
  expect(described.migrations).toEqual(['20260101000000_first']);
  expect(['a', 'b']).not.toContain(described.id);
});

test('a database that was copied into knows what its rows are like, as its plans need', async () => {
  const [first, second] = [await openFilled(), await open(openEmpty)];
  await withSource(first, (source) => copyInto(second, source, options));
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

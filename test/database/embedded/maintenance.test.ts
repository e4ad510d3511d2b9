import { Client } from 'pg';
import { maintain } from '@/src/database/embedded/maintenance';
import { openTemporary, type TemporaryDatabase } from '@/src/database/embedded/open';
import type { RunStatement } from '@/src/database/embedded/session';
import { keptSnapshot } from '../../helpers/kept-snapshot';

let database: TemporaryDatabase;
let client: Client;

beforeAll(async () => {
  // None of its own meanwhile.
  database = await openTemporary({ maintenanceIntervalMs: 3_600_000, ...keptSnapshot() });
  client = new Client({ connectionString: database.url });
  await client.connect();
}, 120_000);

afterAll(async () => {
  await client.end();
  await database.close();
});

const run: RunStatement = async (sql, values) => (await client.query(sql, values)).rows;

/** One round, as if the database had counted all that came before, which it does once a second. */
async function round(...bounds: [{ statisticsBytes: number }?]): Promise<void> {
  await run('SELECT pg_stat_force_next_flush()');
  await maintain(run, ...bounds);
}

async function sizeOf(...catalogues: string[]): Promise<number> {
  const [row] = await run<{ size: number }>(
    `SELECT sum(pg_total_relation_size(name::regclass))::int AS size FROM unnest($1::text[]) name`,
    [`{${catalogues}}`],
  );
  return row?.size ?? 0;
}

async function repeat(times: number, task: () => Promise<unknown>): Promise<void> {
  for (let count = 0; count < times; count += 1) await task();
}

/** A few pages more or less, by where there was room. What is not cleaned up takes over 1 MB here. */
const pages = 200_000;

/** A table of which the planner keeps some hundred kilobytes. */
async function createBusyTable(): Promise<void> {
  const columns = Array.from({ length: 8 }, (_, n) => `repeat(md5(g || ':${n}'), 5) AS c${n}`);
  const longWords = `(SELECT string_agg(md5(concat(g, x)), '') FROM generate_series(1, 10) x)`;
  await run('DROP TABLE IF EXISTS busy');
  await run(`
    CREATE TABLE busy AS SELECT g AS id, ${longWords} AS long, ${columns} FROM generate_series(1, 300) g`);
}

test('what the planner knows of a busy table takes no more room however often it is learnt', async () => {
  await createBusyTable();
  const learn = async () => {
    await run('UPDATE busy SET id = id + 1');
    await round();
  };
  await repeat(10, learn);
  const size = await sizeOf('pg_statistic');
  await repeat(20, learn);
  expect(await sizeOf('pg_statistic')).toBeLessThan(size + pages);
});

test('what it took in a database that nobody cared for is given back', async () => {
  await createBusyTable();
  await repeat(10, () => run('ANALYZE busy'));
  const size = await sizeOf('pg_statistic');
  await round({ statisticsBytes: size / 2 });
  expect(await sizeOf('pg_statistic')).toBeLessThan(size / 2);
  const [known] = await run<{ columns: number }>(
    `SELECT count(*)::int AS columns FROM pg_stats WHERE tablename = 'busy'`,
  );
  expect(known).toEqual({ columns: 10 });
});

test('tables that come and go, as days of the log do, leave nothing in the catalogues for good', async () => {
  await run('CREATE TABLE days (id uuid, day int, PRIMARY KEY (id, day)) PARTITION BY RANGE (day)');
  const catalogues = ['class', 'attribute', 'type', 'depend', 'index', 'inherits', 'constraint'];
  const size = () => sizeOf(...catalogues.map((name) => `pg_${name}`));
  const nextDays = async () => {
    await run(`DO $$ BEGIN FOR n IN 1..100 LOOP
      EXECUTE format('CREATE TABLE day_%s PARTITION OF days FOR VALUES FROM (%1$s) TO (%s)', n, n + 1);
      EXECUTE format('DROP TABLE day_%s', n);
    END LOOP; END $$`);
    await round();
  };
  await repeat(5, nextDays);
  const before = await size();
  await repeat(5, nextDays);
  expect(await size()).toBeLessThan(before + pages);
});

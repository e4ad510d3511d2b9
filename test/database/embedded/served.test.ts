import { openTemporary, type TemporaryDatabase } from '../../../src/database/embedded/open';
import { keptSnapshot } from '../../helpers/kept-snapshot';
import { describeMigrate } from '../migrate.cases';
import { query } from '../query';
import { describeWireServer } from './wire-server.cases';
import { describeWireStrangers } from './wire-strangers.cases';

// One file, because to create an embedded database takes longer than all of this.

let database: TemporaryDatabase;

beforeAll(async () => {
  database = await openTemporary({ maintenanceIntervalMs: 200, ...keptSnapshot() });
  await query(database.url, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
}, 120_000);

afterAll(() => database.close());

describe('the wire server', () => describeWireServer(() => database.url));

describe('the wire server and strangers', () => describeWireStrangers(() => database.url));

describe('migrate, embedded', () => describeMigrate(() => database.url));

test('maintenance goes on after a round that failed', async () => {
  const ask = (sql: string) => query(database.url, sql);
  const until = async (isSo: string) => {
    const counts = `SELECT FROM pg_stat_user_tables WHERE relname = 'due' AND ${isSo}`;
    while ((await ask(counts)).length === 0);
  };
  jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  // To analyse the table takes what its index is of, which fails for as long as there is a fault.
  await ask(`
    CREATE TABLE faults (n int);
    CREATE FUNCTION faulty(n int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN
      IF EXISTS (SELECT FROM public.faults) THEN RAISE 'a fault'; END IF;
      RETURN n;
    END $$;
    CREATE TABLE due (n int);
    CREATE INDEX ON due (faulty(n));
    INSERT INTO due SELECT generate_series(1, 2000);
    INSERT INTO faults VALUES (1);
    SELECT pg_stat_force_next_flush()`);
  await until('vacuum_count > 0 AND analyze_count = 0');
  await ask('DELETE FROM faults');
  await until('analyze_count > 0');
  await ask('DROP TABLE due; DROP FUNCTION faulty; DROP TABLE faults');
});

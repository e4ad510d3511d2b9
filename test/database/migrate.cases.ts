import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MigrationError } from '../../src/database/migrations/errors';
import { migrate, pendingMigrations } from '../../src/database/migrations/migrate';
import { query as run } from './query';

/** How `migrate` behaves on the empty database whose address `getUrl` gives. */
export function describeMigrate(getUrl: () => string): void {
  const createA = 'CREATE TABLE a (n int);\nINSERT INTO a VALUES (1);\n';
  let url: string;
  let folder: string;

  beforeAll(() => {
    url = getUrl();
  });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'migrate-'));
    writeFileSync(join(folder, 'migration_lock.toml'), 'provider = "postgresql"\n');
  });

  afterEach(async () => {
    rmSync(folder, { recursive: true });
    await query('DROP TABLE IF EXISTS a, b, _prisma_migrations');
    await query('DROP SEQUENCE IF EXISTS tries');
  });

  const query = (sql: string) => run(url, sql);
  const apply = () => migrate({ url, folder, log: () => undefined });
  const pending = () => pendingMigrations({ query, folder });

  function write(name: string, script: string): void {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'migration.sql'), script);
  }

  test('applies what is missing in the order of names, as Prisma records it', async () => {
    write('2_b', 'CREATE TABLE b AS SELECT n + 1 AS n FROM a');
    write('1_a', createA);
    expect(await pending()).toEqual(['1_a', '2_b']);
    expect(await apply()).toEqual({ applied: ['1_a', '2_b'] });
    expect(await query('SELECT n FROM b')).toEqual([{ n: 2 }]);
    expect(await query('SELECT * FROM _prisma_migrations ORDER BY migration_name')).toMatchObject([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        migration_name: '1_a',
        checksum: createHash('sha256').update(createA).digest('hex'),
        started_at: expect.anything(),
        finished_at: expect.anything(),
        rolled_back_at: null,
        logs: null,
        applied_steps_count: 1,
      },
      { migration_name: '2_b' },
    ]);

    expect(await pending()).toEqual([]);
    expect(await apply()).toEqual({ applied: [] });
    write('3_later', 'INSERT INTO a VALUES (3)');
    expect(await pending()).toEqual(['3_later']);
    expect(await apply()).toEqual({ applied: ['3_later'] });
  });

  test('several processes that start at once apply each migration once', async () => {
    write('1_a', createA);
    write('2_more', 'INSERT INTO a VALUES (2)');
    const results = await Promise.all([apply(), apply(), apply(), apply()]);
    expect(results.flatMap(({ applied }) => applied).sort()).toEqual(['1_a', '2_more']);
    expect(await query('SELECT n FROM a ORDER BY n')).toEqual([{ n: 1 }, { n: 2 }]);
    expect(await query('SELECT migration_name FROM _prisma_migrations')).toHaveLength(2);
  });

  test('a process that is lost while it migrates is waited for as any transaction is', async () => {
    write(
      '1_a',
      `CREATE TABLE a AS SELECT current_setting('idle_in_transaction_session_timeout') AS t`,
    );
    await apply();
    expect(await query('SELECT t FROM a')).toEqual([{ t: '30s' }]);
  });

  test('a migration has all the time that it takes, whatever its role allows a statement', async () => {
    write(
      '1_a',
      `CREATE TABLE a AS SELECT current_setting('statement_timeout') AS t,
         current_setting('lock_timeout') AS l`,
    );
    await apply();
    expect(await query('SELECT t, l FROM a')).toEqual([{ t: '0', l: '0' }]);
  });

  test('a failing migration leaves nothing but its record, and is tried again', async () => {
    write('1_a', createA);
    write('2_bad', 'INSERT INTO a VALUES (2);\n\nSELECT * FROM absent;\n');
    write('3_b', 'CREATE TABLE b (n int)');
    const reason =
      /2_bad failed: relation "absent" does not exist \(SQLSTATE 42P01, line 3 .*tries it again/s;
    await expect(apply()).rejects.toThrow(reason);
    expect(await query('SELECT n FROM a')).toEqual([{ n: 1 }]);
    expect(await query('SELECT * FROM _prisma_migrations ORDER BY migration_name')).toMatchObject([
      { migration_name: '1_a', finished_at: expect.anything() },
      {
        migration_name: '2_bad',
        finished_at: null,
        rolled_back_at: expect.anything(),
        logs: expect.stringContaining('absent'),
        applied_steps_count: 0,
      },
    ]);
    await expect(apply()).rejects.toThrow(reason);

    write('2_bad', 'INSERT INTO a VALUES (2)');
    expect(await pending()).toEqual(['2_bad', '3_b']);
    expect(await apply()).toEqual({ applied: ['2_bad', '3_b'] });
    expect(await query('SELECT n FROM a ORDER BY n')).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test('the version before a migration that failed goes on with the database', async () => {
    write('1_a', createA);
    write('2_bad', 'SELECT * FROM absent');
    await expect(apply()).rejects.toThrow('2_bad failed');
    rmSync(join(folder, '2_bad'), { recursive: true });
    expect(await pending()).toEqual([]);
    expect(await apply()).toEqual({ applied: [] });
  });

  /** Counts the tries, which no rollback undoes, and ends the first ones as Postgres ends a deadlock. */
  const endedFor = (deadlocks: number) => `
    DO $$ BEGIN
      IF nextval('tries') <= ${deadlocks} THEN
        RAISE 'deadlock detected' USING ERRCODE = 'deadlock_detected';
      END IF;
    END $$;`;

  const countTries = async () => {
    await query('CREATE SEQUENCE tries');
    return () => query('SELECT last_value::int AS tries FROM tries');
  };

  test('a migration that was ended for a deadlock is run again', async () => {
    const tries = await countTries();
    write('1_a', `${createA}${endedFor(2)}`);
    write('2_b', 'CREATE TABLE b (n int)');
    expect(await apply()).toEqual({ applied: ['1_a', '2_b'] });
    expect(await tries()).toEqual([{ tries: 3 }]);
    expect(await query('SELECT n FROM a')).toEqual([{ n: 1 }]);
    expect(await query('SELECT logs FROM _prisma_migrations')).toEqual([
      { logs: null },
      { logs: null },
    ]);
  });

  test('one that meets nothing but deadlocks is left to the next start', async () => {
    const tries = await countTries();
    write('1_a', `${createA}${endedFor(4)}`);
    await expect(apply()).rejects.toThrow(/1_a failed: deadlock detected .*tries it again/s);
    expect(await tries()).toEqual([{ tries: 3 }]);
    expect(await pending()).toEqual(['1_a']);
    expect(await apply()).toEqual({ applied: ['1_a'] });
  });

  test('one that a deadlock ends behind its own COMMIT is not run again', async () => {
    const tries = await countTries();
    write('1_a', `${createA}COMMIT;${endedFor(1)}`);
    await expect(apply()).rejects.toThrow(/1_a failed: deadlock detected .*may have stayed/s);
    expect(await tries()).toEqual([{ tries: 1 }]);
  });

  const recordFailure = (logs: string, steps = 0) =>
    query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, logs, applied_steps_count)
       VALUES ('old', '', '2_b', '${logs}', ${steps})`,
    );

  test('one that an earlier version recorded as failed is tried again as well', async () => {
    write('1_a', createA);
    await apply();
    write('2_b', 'CREATE TABLE b (n int)');
    await recordFailure('could not extend file (SQLSTATE 53100)');
    expect(await apply()).toEqual({ applied: ['2_b'] });
  });

  test('one that another tool recorded as failed stops every start', async () => {
    write('1_a', createA);
    await apply();
    write('2_b', 'CREATE TABLE b (n int)');
    await recordFailure('A migration failed to apply.');
    await expect(apply()).rejects.toThrow(/2_b failed: A migration failed to apply/);
    await expect(pending()).rejects.toThrow(MigrationError);
    await expect(apply()).rejects.toThrow(/UPDATE _prisma_migrations SET rolled_back_at = now\(\)/);
    await query(`UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL`);
    expect(await apply()).toEqual({ applied: ['2_b'] });
  });

  test.each([
    [
      'ended its own transaction',
      `savepoint "before_migration" does not exist (SQLSTATE 3B001)`,
      0,
    ],
    ['had done a step', 'could not extend file (SQLSTATE 53100)', 1],
  ])(
    'nor is one tried again that an earlier version recorded, and that %s',
    async (_, logs, steps) => {
      write('1_a', createA);
      await apply();
      write('2_b', 'CREATE TABLE b (n int)');
      await recordFailure(logs, steps);
      await expect(apply()).rejects.toThrow('2_b failed');
      expect(await query(`SELECT rolled_back_at FROM _prisma_migrations WHERE id = 'old'`)).toEqual(
        [{ rolled_back_at: null }],
      );
    },
  );

  test.each([
    ['', `BEGIN;\n${createA}COMMIT;\n`],
    [', and fails then,', `${createA}COMMIT;\nSELECT * FROM absent;\n`],
    [', and fails in another,', `${createA}COMMIT;\nBEGIN;\nSELECT * FROM absent;\n`],
  ])('a migration that ends the transaction itself%s blocks the next start', async (_, script) => {
    write('1_a', script);
    await expect(apply()).rejects.toThrow('1_a failed');
    expect(
      await query('SELECT migration_name, finished_at, rolled_back_at FROM _prisma_migrations'),
    ).toEqual([{ migration_name: '1_a', finished_at: null, rolled_back_at: null }]);
    await expect(apply()).rejects.toThrow(/1_a failed.*may have stayed.*another try/s);
  });

  test('a migration changed after it was applied is refused, but for its line ends', async () => {
    write('1_a', createA);
    await apply();
    write('1_a', createA.replaceAll('\n', '\r\n'));
    expect(await apply()).toEqual({ applied: [] });
    write('1_a', `${createA}-- a remark\n`);
    await expect(apply()).rejects.toThrow(/1_a was changed after/);
    await expect(pending()).rejects.toThrow(/1_a was changed after/);
  });

  test('a database that a newer version has used is refused', async () => {
    write('1_a', createA);
    write('2_newer', 'CREATE TABLE b (n int)');
    await apply();
    rmSync(join(folder, '2_newer'), { recursive: true });
    await expect(apply()).rejects.toThrow(/2_newer.*a newer version has used it/);
  });

  test('a database in which another application keeps its migrations is refused as that', async () => {
    write('1_theirs', createA);
    await apply();
    rmSync(join(folder, '1_theirs'), { recursive: true });
    write('1_ours', 'CREATE TABLE b (n int)');
    await expect(apply()).rejects.toThrow(
      /1_theirs, and none of this service: another application/,
    );
    await expect(pending()).rejects.toThrow(MigrationError);
  });
}

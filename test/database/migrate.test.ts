import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { MigrationError } from '@/src/database/migrations/errors';
import { migrate } from '@/src/database/migrations/migrate';
import { beginMigration, takeTurn } from '@/src/database/migrations/turn';
import { openFaultyPath } from '../helpers/faulty-path';
import { untilSomebodyWaits } from '../helpers/locks';
import { until } from '../helpers/until';
import { describeMigrate } from './migrate.cases';
import { query } from './query';

const serverUrl = process.env.TEST_DATABASE_URL;

/** The advisory lock of who migrates, also by Prisma's own commands. */
const migrationLock = 72_707_369;

if (serverUrl) {
  const schema = `migrate_${process.pid}_${Date.now()}`;

  describe.each(['read committed', 'repeatable read', 'serializable'])(
    'migrate, on a server whose transactions are %s',
    (isolation) => {
      const url = new URL(serverUrl);
      const set = `-c default_transaction_isolation=${isolation.replace(' ', '\\ ')}`;
      url.searchParams.set('options', `-c search_path=${schema} -c statement_timeout=60s ${set}`);

      beforeAll(() => query(serverUrl, `CREATE SCHEMA ${schema}`));
      afterAll(() => query(serverUrl, `DROP SCHEMA ${schema} CASCADE`));
      describeMigrate(() => url.href);
    },
  );

  test('who comes while another migrates waits its turn, whatever its role allows a statement', async () => {
    const statementMs = 1000;
    const url = new URL(serverUrl);
    url.searchParams.set('options', `-c statement_timeout=${statementMs}`);
    const folder = mkdtempSync(join(tmpdir(), 'migrate-'));
    const another = new Client({ connectionString: serverUrl });
    await another.connect();
    try {
      await another.query(`SELECT pg_advisory_lock(${migrationLock})`);
      const migrating = migrate({ url: url.href, folder, log: () => undefined });
      await untilSomebodyWaits(another);
      await Promise.race([migrating, sleep(2 * statementMs)]);
      await another.query(`SELECT pg_advisory_unlock(${migrationLock})`);
      expect(await migrating).toEqual({ applied: [] });
    } finally {
      await another.end();
      rmSync(folder, { recursive: true });
    }
  });

  test('who waits for a turn longer than a minute is told that another process migrates', async () => {
    const [another, waiting] = [new Client(serverUrl), new Client(serverUrl)];
    await Promise.all([another.connect(), waiting.connect()]);
    try {
      await another.query(`SELECT pg_advisory_lock(${migrationLock})`);
      await beginMigration(waiting);
      const { rows } = await waiting.query(`SELECT current_setting('lock_timeout') AS bound`);
      expect(rows).toEqual([{ bound: '1min' }]);
      await waiting.query(`SET LOCAL lock_timeout = '1ms'`);
      await expect(takeTurn(waiting)).rejects.toThrow(
        new MigrationError(
          'Another process has been migrating this database for 60 seconds. Start again when it is done.',
        ),
      );
    } finally {
      await Promise.all([another.end(), waiting.end()]);
    }
  });

  /** Gives `use` a schema of its own, and a folder of migrations with this one. */
  async function withMigration(
    [name, script]: [string, string],
    use: (own: { schema: string; url: string; folder: string }) => Promise<void>,
  ): Promise<void> {
    const schema = `${name}_${process.pid}_${Date.now()}`;
    const url = new URL(serverUrl ?? '');
    url.searchParams.set('options', `-c search_path=${schema}`);
    const folder = mkdtempSync(join(tmpdir(), 'migrate-'));
    mkdirSync(join(folder, `1_${name}`));
    writeFileSync(join(folder, `1_${name}`, 'migration.sql'), script);
    await query(url.href, `CREATE SCHEMA ${schema}`);
    try {
      await use({ schema, url: url.href, folder });
    } finally {
      await query(url.href, `DROP SCHEMA ${schema} CASCADE`);
      rmSync(folder, { recursive: true });
    }
  }

  test('a migration that says nothing for half an hour is waited for', async () => {
    await withMigration(['long', 'CREATE TABLE a (n int)'], async ({ url, folder }) => {
      const allowed = jest.spyOn(Socket.prototype, 'setTimeout');
      await migrate({ url, folder, log: () => undefined });
      expect(allowed.mock.lastCall).toEqual([1_800_000]);
      allowed.mockRestore();
    });
  });

  test('says which session holds a lock that a migration waits for', async () => {
    await withMigration(['held', 'ALTER TABLE a ADD b int'], async ({ url, folder }) => {
      await query(url, 'CREATE TABLE a (n int)');
      const holder = new Client({ connectionString: url, application_name: 'forgotten' });
      await holder.connect();
      try {
        await holder.query('BEGIN');
        await holder.query('SELECT FROM a');
        const said: string[] = [];
        const log = (line: string) => void said.push(line);
        const migrating = migrate({ url, folder, log, lookEveryMs: 20 });
        await until(() => said.length > 0);
        await holder.query('COMMIT');
        expect(await migrating).toEqual({ applied: ['1_held'] });
        expect(said).toEqual([
          expect.stringMatching(
            /session (\d+) holds \(forgotten, idle in transaction, begun \d+ s ago\)\. SELECT pg_terminate_backend\(\1\)/,
          ),
          'applied migration 1_held',
        ]);
      } finally {
        await holder.end();
      }
    });
  });

  test('a migration whose process is gone keeps nobody waiting', async () => {
    await withMigration(['gone', 'ALTER TABLE a ADD b int'], async ({ url, folder }) => {
      await query(url, 'CREATE TABLE a (n int)');
      const path = await openFaultyPath(url);
      const holder = new Client({ connectionString: url });
      await holder.connect();
      try {
        await holder.query('BEGIN');
        await holder.query('SELECT FROM a');
        const migrating = migrate({ url: path.url, folder, log: () => undefined });
        const failed = expect(migrating).rejects.toThrow();
        await untilSomebodyWaits(holder);
        path.cut();
        await failed;
        expect(await query(url, 'SELECT n FROM a')).toEqual([]);
        await holder.query('COMMIT');
        expect(await migrate({ url, folder, log: () => undefined })).toEqual({
          applied: ['1_gone'],
        });
      } finally {
        await holder.end();
        await path.close();
      }
    });
  });

  test('says why its connection was cut in the midst of a migration', async () => {
    const script = 'CREATE TABLE a (n int); SELECT pg_terminate_backend(pg_backend_pid());';
    await withMigration(['cut', script], async ({ schema, url, folder }) => {
      await expect(migrate({ url, folder, log: () => undefined })).rejects.toThrow(
        'terminating connection due to administrator command',
      );
      const left = `SELECT FROM pg_class WHERE relnamespace = '${schema}'::regnamespace`;
      expect(await query(url, left)).toEqual([]);
    });
  });
} else {
  test.skip('migrate, on a server (skipped: TEST_DATABASE_URL is not set)', () => undefined);
}

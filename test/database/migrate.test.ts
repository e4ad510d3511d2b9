import { describeMigrate } from './migrate.cases';
import { query } from './query';

const serverUrl = process.env.TEST_DATABASE_URL;

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
} else {
  test.skip('migrate, on a server (skipped: TEST_DATABASE_URL is not set)', () => undefined);
}

import { Client } from 'pg';
import { requireReplica } from '@/src/database/replicas/same-database';
import { describeOnServer } from '../helpers/locks';
import { borrowTestDatabase, type TestDatabase } from '../helpers/test-database';
import { query } from './query';
import { openStandIn, type StandIn } from './stand-in';

const at = (url: string) => (sql: string) => query(url, sql);

describeOnServer('what is given as a replica', () => {
  let own: TestDatabase;
  let copy: StandIn;

  beforeAll(async () => {
    own = await borrowTestDatabase();
    copy = await openStandIn(own.url);
  });

  afterAll(async () => {
    await copy?.close();
    await own?.close();
  });

  test('a migration that comes while a replica is asked is one that it does not have', async () => {
    const meanwhile = async (sql: string) => {
      const answer = await query(copy.url, sql);
      await query(
        own.url,
        `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
         VALUES ('meanwhile', '', 'meanwhile', now())`,
      );
      return answer;
    };
    await expect(requireReplica(meanwhile, at(own.url))).rejects.toThrow('every migration');
    await query(own.url, `DELETE FROM _prisma_migrations WHERE id = 'meanwhile'`);
  });

  test.each(['users', 'spaces', 'testimonials', 'testimonial_counts', 'testimonial_texts'])(
    'one of which the rows of %s cannot be read does not pass',
    async (table) => {
      const impatient = new URL(copy.url);
      impatient.searchParams.set('options', '-c lock_timeout=10ms');
      const locker = new Client({ connectionString: copy.url });
      await locker.connect();
      try {
        await locker.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
        const looking = requireReplica(at(impatient.href), at(own.url));
        await expect(looking).rejects.toThrow('lock timeout');
      } finally {
        await locker.end();
      }
    },
  );

  test('only a standby of the very database passes for one', async () => {
    const look = () => requireReplica(at(copy.url), at(own.url));
    await look();
    const migration = (name: string, ends: string) =>
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, ${ends}) VALUES ('${name}', '', '${name}', now())`;
    // It may be further than the primary was, and what has failed there is nothing to have.
    await query(copy.url, migration('newer', 'finished_at'));
    await look();
    await query(copy.url, `DELETE FROM _prisma_migrations WHERE id = 'newer'`);
    await query(own.url, migration('failed', 'rolled_back_at'));
    await look();
    await query(
      copy.url,
      `CREATE FUNCTION stand_in.pg_control_system(OUT system_identifier bigint) LANGUAGE sql AS 'SELECT 1::bigint'`,
    );
    await expect(look()).rejects.toThrow('it is a replica of another database');
    await query(copy.url, 'DROP FUNCTION stand_in.pg_control_system');
    await expect(requireReplica(at(own.url), at(own.url))).rejects.toThrow('it is a primary');
    await query(
      copy.url,
      'BEGIN; DELETE FROM _prisma_migrations WHERE started_at = (SELECT max(started_at) FROM _prisma_migrations); COMMIT',
    );
    await expect(look()).rejects.toThrow('it does not have every migration');
    await query(copy.url, 'DROP VIEW stand_in.pg_database');
    await expect(look()).rejects.toThrow('it is a replica of another database');
  });
});

import { lookAtPooler } from '@/src/cli/doctor/pooler';
import { env, provideEnv } from '@/src/env';
import { query } from '../database/query';
import { openFaultyPath } from '../helpers/faulty-path';
import { describeOnServer } from '../helpers/locks';
import { describeBehindPooler, openPooler } from '../helpers/pooler';
import { doctor, withDatabase, withFewSettings } from './doctor';

const databaseUrl = env().DATABASE_URL ?? '';
withFewSettings();

const ofDatabase = async () => (await doctor()).about('database');
const failure = expect.stringMatching(/^MEND .*: what the service does fails: /);

describeBehindPooler('behind PgBouncer', () => {
  test('an address without pgbouncer=true must be mended, as its statements are shared', async () => {
    const pooler = await openPooler(databaseUrl, 'transaction');
    provideEnv({ DATABASE_URL: pooler.url });
    const said = await ofDatabase();
    expect(said).toContainEqual(failure);
    expect(said).toContainEqual(expect.stringContaining('Add ?pgbouncer=true to DATABASE_URL'));
    provideEnv({ DATABASE_URL: `${pooler.url}?pgbouncer=true` });
    expect(await ofDatabase()).not.toContainEqual(failure);
    pooler.close();
  });

  test('one that has no transactions must be mended, with where that is set', async () => {
    const pooler = await openPooler(databaseUrl, 'statement');
    provideEnv({ DATABASE_URL: `${pooler.url}?pgbouncer=true` });
    const said = await ofDatabase();
    expect(said).toContainEqual(failure);
    expect(said).toContainEqual(expect.stringContaining('Set pool_mode = transaction'));
    pooler.close();
  });
});

describeOnServer('before several servers', () => {
  test('an address some of whose sessions are at a standby must be mended', async () => {
    await withDatabase('', async ({ name, client, url }) => {
      provideEnv({ DATABASE_URL: url.href });
      const found = expect.stringMatching(/^MEND .*: some sessions read from a standby: /);
      expect(await ofDatabase()).not.toContainEqual(found);
      await query(
        url.href,
        `CREATE SCHEMA stand_in; CREATE SEQUENCE stand_in.turns;
         CREATE FUNCTION stand_in.current_setting(text, boolean) RETURNS text LANGUAGE sql AS $$
           SELECT CASE WHEN $1 <> 'in_hot_standby' THEN pg_catalog.current_setting($1, $2)
             WHEN nextval('stand_in.turns') % 4 < 2 THEN 'on' ELSE 'off' END $$`,
      );
      await client.query(`ALTER DATABASE ${name} SET search_path = stand_in, pg_catalog, public`);
      expect(await ofDatabase()).toContainEqual(found);
    });
  });

  test('where sessions take long to open, no more are asked for than there is time for', async () => {
    const path = await openFaultyPath(databaseUrl);
    path.delay(50);
    expect(await lookAtPooler(path.url, 40)).toEqual([]);
    expect(path.connections()).toBe(1);
    await path.close();
  });

  test('a database whose sessions run no triggers must be mended', async () => {
    await withDatabase('', async ({ name, client, url }) => {
      provideEnv({ DATABASE_URL: url.href });
      const found = expect.stringMatching(/^MEND .*: session_replication_role is replica: /);
      expect(await ofDatabase()).not.toContainEqual(found);
      await client.query(`ALTER DATABASE ${name} SET session_replication_role = replica`);
      expect(await ofDatabase()).toContainEqual(found);
    });
  });
});

import { Client } from 'pg';
import { migrate } from '@/src/database/migrations/migrate';
import { provideEnv } from '@/src/env';
import { query } from '../database/query';
import { onServer } from '../helpers/locks';
import { doctor, enterAsStranger, withDatabase, withFewSettings } from './doctor';

withFewSettings();

onServer('connections that are kept for superusers are none of its user', async () => {
  await withDatabase('', async (made) => {
    const [counted] = await query(
      made.url.href,
      `SELECT current_setting('max_connections')::int
         - current_setting('superuser_reserved_connections')::int AS free`,
    );
    await enterAsStranger(made);
    expect((await doctor()).about('database')).toContainEqual(
      expect.stringMatching(
        new RegExp(`this instance may open 5 connections of ${counted?.free}$`),
      ),
    );
  });
});

onServer('a user who may not make pg_trgm must be mended, until it is there', async () => {
  await withDatabase('', async (made) => {
    const { name, url } = made;
    const asOwner = url.href;
    await enterAsStranger(made);
    await query(asOwner, `GRANT CREATE ON SCHEMA public TO ${name}`);
    const unmakable = expect.stringMatching(
      /^MEND .*: its user may not make the extension pg_trgm/,
    );
    expect((await doctor()).about('database')).toContainEqual(unmakable);
    await expect(migrate({ url: url.href, log: () => {} })).rejects.toThrow(/pg_trgm.*42501/);
    await query(asOwner, 'CREATE EXTENSION pg_trgm');
    expect((await doctor()).about('database')).not.toContainEqual(unmakable);
    await migrate({ url: url.href, log: () => {} });
  });
});

onServer(
  'an owner in whose search_path no schema exists is told so, and not to become one',
  async () => {
    await withDatabase('', async ({ name, client, url }) => {
      await client.query(`ALTER DATABASE ${name} SET search_path = nowhere`);
      provideEnv({ DATABASE_URL: url.href });
      const found = (await doctor()).about('database');
      const at = found.findIndex((line) => line.includes('its user may not make tables'));
      expect(found[at + 1]).toMatch(/→ No schema of the search_path of that user exists/);
    });
  },
);

onServer('one whose writes wait for a standby that is not connected must be mended', async () => {
  await withDatabase('', async ({ name, client, url }) => {
    provideEnv({ DATABASE_URL: url.href });
    const found = expect.stringMatching(/^MEND .*: writes wait for a standby /);
    expect((await doctor()).about('database')).not.toContainEqual(found);
    await query(
      url.href,
      `CREATE SCHEMA stand_in;
       CREATE FUNCTION stand_in.current_setting(text) RETURNS text LANGUAGE sql AS $$
         SELECT CASE $1 WHEN 'synchronous_standby_names' THEN 'one'
           ELSE pg_catalog.current_setting($1) END $$`,
    );
    await client.query(`ALTER DATABASE ${name} SET search_path = stand_in, pg_catalog, public`);
    expect((await doctor()).about('database')).toContainEqual(found);
    await client.query(`ALTER DATABASE ${name} SET synchronous_commit = local`);
    expect((await doctor()).about('database')).not.toContainEqual(found);
    await client.query(`ALTER DATABASE ${name} RESET synchronous_commit`);
    // What a server sends by without a session, as Neon's do, is in no view.
    await query(
      url.href,
      'CREATE FUNCTION stand_in.pg_stat_get_wal_senders() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
    );
    expect((await doctor()).about('database')).not.toContainEqual(found);
  });
});

onServer('a user without rights in tables that another made must be mended', async () => {
  await withDatabase('', async (made) => {
    const { name, url } = made;
    await migrate({ url: url.href, log: () => {} });
    const owner = new Client({ connectionString: url.href });
    await owner.connect();
    await enterAsStranger(made);
    await owner.query(`GRANT CREATE ON SCHEMA public TO ${name}`);
    const { code, about } = await doctor();
    expect([code, about('migrations')]).toEqual([
      1,
      [
        expect.stringMatching(/^MEND .*permission denied for table _prisma_migrations$/),
        expect.stringContaining('the owner of the database and of its tables'),
      ],
    ]);
    await owner.query(
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${name}`,
    );
    const foreign = expect.stringMatching(/^MEND .*: its user does not own the tables/);
    expect((await doctor()).about('database')).toContainEqual(foreign);
    await owner.query(`GRANT ${owner.escapeIdentifier(owner.user ?? '')} TO ${name}`);
    expect((await doctor()).about('database')).not.toContainEqual(foreign);
    // Made as the user itself, and not as the role that owns the others.
    await owner.query(`SET ROLE ${name}; CREATE TABLE days (LIKE request_log INCLUDING ALL);
      RESET ROLE; REVOKE ${owner.escapeIdentifier(owner.user ?? '')} FROM ${name};
      ALTER TABLE request_log ATTACH PARTITION days DEFAULT`);
    for (const table of ['request_log', '_prisma_migrations']) {
      await owner.query(`ALTER TABLE ${table} OWNER TO ${name}`);
    }
    expect((await doctor()).about('database')).not.toContainEqual(foreign);
    await owner.query('ALTER TABLE days OWNER TO CURRENT_USER');
    await owner.end();
    expect((await doctor()).about('database')).toContainEqual(foreign);
    expect((await doctor()).text).toContain('ALTER ROLE … SET role = …');
  });
});

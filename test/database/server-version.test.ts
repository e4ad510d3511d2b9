import { migrate } from '@/src/database/migrations/migrate';
import { env } from '@/src/env';
import { describeOnServer } from '../helpers/locks';
import { withOwnDatabase } from '../helpers/own-database';
import { query, setForSessions } from './query';

describeOnServer('a database of a server', () => {
  withOwnDatabase();

  const url = () => env().DATABASE_URL ?? '';

  async function said(): Promise<string[]> {
    const lines: string[] = [];
    await migrate({ url: url(), log: (line) => lines.push(line) });
    return lines;
  }

  test('that is older than is supported is used, and said to be', async () => {
    expect(await said()).toEqual([]);
    await query(
      url(),
      `CREATE SCHEMA older;
       CREATE FUNCTION older.current_setting(name text) RETURNS text LANGUAGE sql AS $$
         SELECT CASE name WHEN 'server_version' THEN '13.16 (Debian)' WHEN 'server_version_num' THEN '130016'
           ELSE pg_catalog.current_setting(name) END $$`,
    );
    await setForSessions(url(), 'search_path = older, pg_catalog, public');
    expect(await said()).toEqual([
      expect.stringMatching(/Postgres 13\.16 .*Use Postgres 14 or newer\./),
    ]);
  });
});

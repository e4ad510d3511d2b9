import { readSequences, readTables } from '@/src/copying/catalog';
import { withConnection } from '@/src/copying/places';
import { query, setForSessions } from '../database/query';
import { onServer } from '../helpers/locks';
import { databasesOfTests, openEmpty } from './databases';

const open = databasesOfTests();

onServer('what belongs to an extension is none of the tables that are copied', async () => {
  const url = await open(openEmpty);
  await query(
    url,
    `CREATE TABLE ours (n int);
     CREATE TABLE of_extension (n int);
     ALTER EXTENSION plpgsql ADD TABLE of_extension`,
  );
  const tables = await withConnection({ url }, readTables);
  expect(tables.map(({ name }) => name)).toEqual(['ours']);
});

onServer('tables are copied also where another schema has come in front of theirs', async () => {
  const url = await open(openEmpty);
  await query(
    url,
    `CREATE TABLE _prisma_migrations (id text);
     CREATE TABLE early (n int);
     CREATE SEQUENCE early_numbers;
     CREATE SCHEMA front;
     CREATE SCHEMA behind;
     CREATE TABLE behind.of_others (n int)`,
  );
  await setForSessions(url, 'search_path = front, public, behind');
  await query(url, 'CREATE TABLE late (n int); CREATE SEQUENCE late_numbers');
  const found = await withConnection({ url }, async (client) =>
    [...(await readTables(client)), ...(await readSequences(client))].map(({ name }) => name),
  );
  expect(found).toEqual(['early', 'late', 'early_numbers', 'late_numbers']);
});

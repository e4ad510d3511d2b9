import { readTables } from '@/src/copying/catalog';
import { withConnection } from '@/src/copying/places';
import { onServer } from '../helpers/locks';
import { databasesOfTests, execute, openEmpty } from './databases';

const open = databasesOfTests();

onServer('what belongs to an extension is none of the tables that are copied', async () => {
  const url = await open(openEmpty);
  await execute(
    url,
    `CREATE TABLE ours (n int);
     CREATE TABLE of_extension (n int);
     ALTER EXTENSION plpgsql ADD TABLE of_extension`,
  );
  const tables = await withConnection({ url }, readTables);
  expect(tables.map(({ name }) => name)).toEqual(['ours']);
});

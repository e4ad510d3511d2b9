import { readTables } from '@/src/copying/catalog';
import { inTransaction } from '@/src/copying/connect';
import { withConnection } from '@/src/copying/places';
import { readBlocks } from '@/src/copying/read-blocks';
import { query } from '../database/query';
import { databasesOfTests, openEmpty } from './databases';

const open = databasesOfTests();

test('a page of which the rows are larger than a block is one, and the next goes on behind it', async () => {
  const url = await open(openEmpty);
  await query(
    url,
    `CREATE TABLE large (n int, body text);
     INSERT INTO large SELECT n, repeat(n::text, 3000000) FROM generate_series(1, 3) n;
     INSERT INTO large SELECT n, 'small' FROM generate_series(4, 1000) n`,
  );
  const blocks = await withConnection({ url }, (client) =>
    inTransaction(client, async () => {
      const [table] = await readTables(client);
      if (!table) throw new Error('There is no table');
      const found: { position: number; rows: number }[] = [];
      for await (const { position, rows } of readBlocks(client, table, 'large')) {
        found.push({ position, rows: rows.toString().split('\n').length - 1 });
        if (position === found.at(-2)?.position) throw new Error('It stands still');
      }
      return found;
    }),
  );
  expect(blocks[0]?.position).toBe(1);
  expect(blocks).toHaveLength(2);
  expect(blocks.reduce((sum, { rows }) => sum + rows, 0)).toBe(1000);
});

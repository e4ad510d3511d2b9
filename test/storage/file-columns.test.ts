import { database } from '@/src/database/client';
import { fileColumns, indexedCharacters, storedUrlPattern } from '@/src/storage/file-references';

test('every column that may name an uploaded file is looked at before one is removed, by an index', async () => {
  const columns = await database().$queryRaw<{ table: string; column: string }[]>`
    SELECT table_name AS table, column_name AS column FROM information_schema.columns
    WHERE table_schema = current_schema() AND right(column_name, 4) = '_url'`;
  const known = Object.entries(fileColumns).flatMap(([table, names]) =>
    names.map((column) => ({ table, column })),
  );
  expect(new Set(columns.map((one) => JSON.stringify(one)))).toEqual(
    new Set(known.map((one) => JSON.stringify(one))),
  );
  const indexes = await database().$queryRaw<{ table: string; definition: string }[]>`
    SELECT tablename AS table, indexdef AS definition FROM pg_indexes
    WHERE schemaname = current_schema()`;
  const isIndexed = ({ table, column }: { table: string; column: string }) =>
    indexes.some(
      (index) =>
        index.table === table &&
        index.definition.includes(`"right"(${column}, ${indexedCharacters})`) &&
        index.definition.includes(storedUrlPattern),
    );
  expect(known.filter((one) => !isIndexed(one))).toEqual([]);
});

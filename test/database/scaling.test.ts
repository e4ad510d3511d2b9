import { readFileSync } from 'node:fs';
import { database } from '@/src/database/client';

// docs/scaling.md names everything in the schema that ties accounts together, for whoever spreads them
// over partitions or servers. In `users`, the account is `id`.

/** What the page names as in the way. */
function named(): string[] {
  const page = readFileSync('docs/scaling.md', 'utf8');
  const [, section = ''] = page.split('## What stands in the way\n');
  return [...section.matchAll(/`([a-z_]+)`/g)].flatMap(([, name]) => name ?? []);
}

const nameEnding = (ending: RegExp) => named().filter((name) => ending.test(name));

const ownTable = `relnamespace = 'public'::regnamespace AND NOT relispartition
  AND relname !~ '^_prisma'`;

async function namesOf(sql: string): Promise<string[]> {
  const rows = await database().$queryRawUnsafe<{ name: string }[]>(sql);
  return rows.map(({ name }) => name);
}

test('every table without user_id is named in docs/scaling.md', async () => {
  const tables = await namesOf(
    `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND ${ownTable}
       AND relname <> 'users' AND NOT EXISTS (
         SELECT FROM pg_attribute WHERE attrelid = pg_class.oid AND attname = 'user_id'
       ) ORDER BY 1`,
  );
  expect(named()).toEqual(expect.arrayContaining(tables));
  expect(tables).not.toHaveLength(0);
});

test('every unique index without user_id is named in docs/scaling.md, and no other', async () => {
  const indexes = await namesOf(
    `SELECT indexrelid::regclass::text AS name FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
     WHERE indisunique AND ${ownTable} AND NOT EXISTS (
       SELECT FROM pg_attribute WHERE attrelid = indrelid AND attnum = ANY (indkey)
         AND attname = CASE relname WHEN 'users' THEN 'id' ELSE 'user_id' END
     ) ORDER BY 1`,
  );
  expect(new Set(nameEnding(/_(key|pkey)$/))).toEqual(new Set(indexes));
});

test('every foreign key that may lead to another account is named in docs/scaling.md, and no other', async () => {
  const keys = await namesOf(
    `SELECT conname AS name FROM pg_constraint WHERE contype = 'f' AND NOT EXISTS (
       SELECT FROM unnest(conkey, confkey) AS pair (own, other)
       JOIN pg_attribute mine ON mine.attrelid = conrelid AND mine.attnum = own
       JOIN pg_attribute theirs ON theirs.attrelid = confrelid AND theirs.attnum = other
       WHERE mine.attname = 'user_id'
         AND theirs.attname = CASE confrelid::regclass::text WHEN 'users' THEN 'id' ELSE 'user_id' END
     ) ORDER BY 1`,
  );
  expect(new Set(nameEnding(/_fkey$/))).toEqual(new Set(keys));
});

test('every index that begins with a time, over all accounts, is named in docs/scaling.md', async () => {
  const indexes = await namesOf(
    `SELECT indexrelid::regclass::text AS name FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
     JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
     WHERE ${ownTable} AND (attname ~ '_at$' OR attname = 'last_request') ORDER BY 1`,
  );
  expect(named()).toEqual(expect.arrayContaining(indexes));
  expect(indexes).not.toHaveLength(0);
});

test('there is no sequence, which servers would have to share', async () => {
  expect(await namesOf(`SELECT relname AS name FROM pg_class WHERE relkind = 'S'`)).toEqual([]);
});

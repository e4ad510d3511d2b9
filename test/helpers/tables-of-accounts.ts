import { database } from '@/src/database/client';

/** Every table that says of its rows whose they are. */
export async function tablesOfAccounts(): Promise<string[]> {
  const tables = await database().$queryRaw<{ name: string }[]>`
    SELECT c.relname::text AS name FROM pg_attribute a
    JOIN pg_class c ON c.oid = a.attrelid AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    WHERE a.attname = 'user_id' AND c.relnamespace = current_schema()::regnamespace ORDER BY 1`;
  return tables.map(({ name }) => name);
}

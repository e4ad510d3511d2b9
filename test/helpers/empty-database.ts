import { query } from '../database/query';

/** Removes every row of a migrated database, whoever uses it meanwhile. */
export async function emptyDatabase(url: string): Promise<void> {
  await query(
    url,
    `DO $$ BEGIN
       EXECUTE (
         SELECT 'TRUNCATE ' || string_agg(format('%I', tablename), ', ') FROM pg_tables
         WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'
       );
     END $$`,
  );
}

import { z } from 'zod';

/** Runs one statement and resolves to its rows. */
export type RunQuery = (sql: string) => Promise<unknown>;

/** Prisma's own, in which it keeps which migrations a database has. */
export const migrationsTable = '_prisma_migrations';

/** Stands in a database for as long as rows are being copied into it: how far that is. */
export const progressTable = 'unfinished_copy';

export function runOn(client: { query(sql: string): Promise<{ rows: unknown[] }> }): RunQuery {
  return async (sql) => (await client.query(sql)).rows;
}

export async function hasTable(query: RunQuery, name: string): Promise<boolean> {
  const rows = await query(`SELECT to_regclass('${name}') IS NOT NULL AS found`);
  return z.tuple([z.object({ found: z.boolean() })]).parse(rows)[0].found;
}

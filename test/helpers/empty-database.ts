import { Client } from 'pg';

/** Removes every row of a migrated database, whoever uses it meanwhile. */
export async function emptyDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ tables: string }>(
      `SELECT string_agg(format('%I', tablename), ', ') AS tables FROM pg_tables
       WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`,
    );
    await client.query(`TRUNCATE ${rows[0]?.tables}`);
  } finally {
    await client.end();
  }
}

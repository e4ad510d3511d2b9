/** Bytes of tables and indexes. */
import type { Client } from 'pg';
import type { TableSize } from './figures';

type Row = { name: string; index: string | null; bytes: number };

/** By table, partitions taken together; those without a row are left out. */
export async function tableSizes(client: Client): Promise<Record<string, TableSize>> {
  const { rows } = await client.query<Row>(
    `WITH leaf AS (
       SELECT oid, coalesce(pg_partition_root(oid), oid)::regclass::text AS name FROM pg_class
       WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname !~ '^_prisma'
     )
     SELECT name, NULL AS index, sum(pg_table_size(oid))::float8 AS bytes FROM leaf GROUP BY name
     UNION ALL
     SELECT name, coalesce(pg_partition_root(indexrelid), indexrelid)::regclass::text,
       sum(pg_relation_size(indexrelid))::float8
     FROM leaf JOIN pg_index ON indrelid = leaf.oid GROUP BY 1, 2
     ORDER BY 1, 3 DESC`,
  );
  const sizes: Record<string, TableSize> = {};
  for (const { name, bytes } of rows.filter(({ index }) => index === null)) {
    const count = await rowCount(client, name);
    if (count === 0) continue;
    const indexes = rows.filter((row) => row.name === name && row.index !== null);
    sizes[name] = {
      rows: count,
      bytes: round(bytes / count),
      indexes: Object.fromEntries(
        indexes.map(({ index, bytes }) => [`${index}`, round(bytes / count)]),
      ),
    };
  }
  return sizes;
}

async function rowCount(client: Client, table: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${table}`,
  );
  return rows[0]?.count ?? 0;
}

function round(bytes: number): number {
  return Math.round(bytes * 10) / 10;
}

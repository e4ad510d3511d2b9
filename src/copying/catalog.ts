/** What a database holds, as its catalog says: so that no table is forgotten that a migration adds. */
import { z } from 'zod';
import type { Connection } from '../database/connections/connection';
import { applicationName } from '../database/embedded/session';
import { hasTable, migrationsTable, progressTable, runOn } from '../database/migrations/tables';

/** Quoted where it needs to be. A backup names what stands in statements then: nothing else passes. */
const name = z.string().regex(/^(?:[a-z_][a-z0-9_$]*|"(?:[^"]|"")+")$/);

/** Which rows a partition takes: literals, and no expression that could call a function. */
const bound = z
  .string()
  .regex(/^(?:DEFAULT|FOR VALUES (?:(?:IN|WITH) \([^()]*\)|FROM \([^()]*\) TO \([^()]*\)))$/);

/** A table that holds rows itself: a table, or a partition of one. */
const pieceSchema = z.object({ name, bound: bound.nullable() });

export const tableSchema = z.object({
  name,
  /** Those that are stored; a generated column follows from others. */
  columns: z.array(name),
  pieces: z.array(pieceSchema),
});
export type Table = z.infer<typeof tableSchema>;

export const sequenceSchema = z.object({
  name: z.string(),
  value: z.string(),
  isCalled: z.boolean(),
});
export type Sequence = z.infer<typeof sequenceSchema>;

/** Each database's own: the one says when it was migrated, the other how far a copy into it is. */
const notCopied = [migrationsTable, progressTable];

/**
 * That of the migrations' table, and that in which tables are made now: a schema that has come in front
 * of the other since, such as one with the name of the user, has what later migrations made.
 */
const isInOurSchemas = `relnamespace IN (current_schema()::regnamespace,
  (SELECT relnamespace FROM pg_class WHERE oid = to_regclass('${migrationsTable}')))`;

/** Those that names go to; what belongs to an extension is not the service's. */
const tablesQuery = `
  SELECT quote_ident(c.relname) AS name,
    (SELECT coalesce(json_agg(quote_ident(attname) ORDER BY attnum), '[]') FROM pg_attribute
      WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS columns,
    CASE c.relkind WHEN 'r' THEN
      json_build_array(json_build_object('name', quote_ident(c.relname), 'bound', NULL))
    ELSE
      (SELECT coalesce(json_agg(json_build_object('name', quote_ident(p.relname),
          'bound', pg_get_expr(p.relpartbound, p.oid)) ORDER BY p.relname), '[]')
        FROM pg_inherits JOIN pg_class p ON p.oid = inhrelid WHERE inhparent = c.oid)
    END AS pieces
  FROM pg_class c
  WHERE c.${isInOurSchemas} AND pg_table_is_visible(c.oid) AND c.relkind IN ('r', 'p')
    AND NOT c.relispartition AND c.relname <> ALL ($1)
    AND NOT EXISTS (SELECT FROM pg_depend
      WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype = 'e')
  ORDER BY c.relname`;

export async function readTables(client: Connection): Promise<Table[]> {
  const { rows } = await client.query(tablesQuery, [notCopied]);
  return z.array(tableSchema).parse(rows);
}

export async function readSequences(client: Connection): Promise<Sequence[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class
     WHERE relkind = 'S' AND ${isInOurSchemas} AND pg_table_is_visible(oid) ORDER BY relname`,
  );
  const sequences: Sequence[] = [];
  for (const { name } of rows) {
    const state = await client.query(
      `SELECT '${name.replaceAll("'", "''")}' AS name, last_value::text AS value, is_called AS "isCalled" FROM ${name}`,
    );
    sequences.push(sequenceSchema.parse(state.rows[0]));
  }
  return sequences;
}

const entrySchema = z.object({ id: z.string(), name: z.string() });

/**
 * The migrations that a database has, and what tells it from all others: the id of its first.
 * Undefined where it has none.
 */
export async function readMigrationState(
  client: Connection,
): Promise<{ id: string; migrations: string[] } | undefined> {
  if (!(await hasTable(runOn(client), migrationsTable))) return undefined;
  const { rows } = await client.query(
    `SELECT id, migration_name AS name FROM ${migrationsTable}
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY started_at, id`,
  );
  const entries = z.array(entrySchema).parse(rows);
  return entries[0] && { id: entries[0].id, migrations: entries.map(({ name }) => name) };
}

/** How many connections a running service has to this database, of those that may be seen. */
export async function countServiceConnections(client: Connection): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = $1`,
    [applicationName],
  );
  return rows[0]?.count ?? 0;
}

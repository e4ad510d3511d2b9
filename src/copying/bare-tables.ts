/**
 * Tables without what each row would be checked with, noted in or counted by: indexes but those of
 * keys, foreign keys, and triggers, which have done their work when the row was first written.
 */
import { z } from 'zod';
import type { Connection } from '../database/connections/connection';
import type { Table } from './catalog';

const statementsSchema = z.array(z.object({ remove: z.string(), restore: z.string() }));

/** Of a partitioned table, whose parts follow it. `pg_get_indexdef` says ONLY of these. */
const indexesQuery = `
  SELECT format('DROP INDEX %s', i.indexrelid::regclass) AS remove,
    replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') AS restore
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE i.indrelid = ANY ($1::text[]::regclass[]) AND NOT c.relispartition
    AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid AND contype IN ('p', 'u', 'x'))
  ORDER BY 1`;

const foreignKeysQuery = `
  SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS remove,
    format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname,
      pg_get_constraintdef(oid)) AS restore
  FROM pg_constraint
  WHERE contype = 'f' AND conparentid = 0 AND conrelid = ANY ($1::text[]::regclass[])
  ORDER BY 1`;

/** By name, so that one which was switched off before stays so. */
const triggersQuery = `
  SELECT format('ALTER TABLE %s DISABLE TRIGGER %I', tgrelid::regclass, tgname) AS remove,
    format('ALTER TABLE %s ENABLE TRIGGER %I', tgrelid::regclass, tgname) AS restore
  FROM pg_trigger
  WHERE NOT tgisinternal AND tgenabled = 'O' AND tgparentid = 0
    AND tgrelid = ANY ($1::text[]::regclass[])
  ORDER BY 1`;

/**
 * Takes all of it away, which whoever owns the tables may do, and resolves to the statements that
 * bring it back, in their order. To be called in a transaction.
 */
export async function makeBare(client: Connection, tables: Table[]): Promise<string[]> {
  const names = tables.map(({ name }) => name);
  const read = async (query: string) =>
    statementsSchema.parse((await client.query(query, [names])).rows);
  const indexes = await read(indexesQuery);
  const foreignKeys = await read(foreignKeysQuery);
  const triggers = await read(triggersQuery);
  // A foreign key needs the index of what it points to.
  for (const { remove } of [...triggers, ...foreignKeys, ...indexes]) await client.query(remove);
  return [...indexes, ...foreignKeys, ...triggers].map(({ restore }) => restore);
}

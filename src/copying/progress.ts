/**
 * What a database knows of the copy that is being made into it, in a table that is there before all
 * others and gone when the copy is complete. Meanwhile no service begins to use the database.
 */
import { z } from 'zod';
import type { Connection } from '../database/connections/connection';
import { hasTable, migrationsTable, progressTable, runOn } from '../database/migrations/tables';
import { inTransaction } from './connect';
import type { Tally } from './tally';

const sourceSchema = z.object({
  id: z.string(),
  /** Versions that left this out made the table once it was. */
  isPrepared: z.boolean().default(true),
});
/** What is being copied, and whether the tables are ready for its rows. */
type CopiedSource = z.infer<typeof sourceSchema>;

const pieceSchema = z.object({
  table: z.string(),
  position: z.number(),
  rows: z.number(),
  checksum: z.string(),
});
/** How much of a piece is copied: up to which position of the source, and what that was. */
export type PieceProgress = z.infer<typeof pieceSchema>;

/** Undefined where nothing is being copied. */
export async function readCopiedSource(client: Connection): Promise<CopiedSource | undefined> {
  if (!(await hasTable(runOn(client), progressTable))) return undefined;
  const [source] = await readEntries(client, 'source', sourceSchema);
  return source?.value;
}

/** Of an empty database: it has nothing yet but this, or what another copy began with. */
export async function createProgress(client: Connection, source: string): Promise<void> {
  await inTransaction(client, async () => {
    await client.query(
      `CREATE TABLE IF NOT EXISTS ${progressTable} (
         kind text, name text, value jsonb NOT NULL, PRIMARY KEY (kind, name))`,
    );
    await writeSource(client, { id: source, isPrepared: false });
  });
}

/** Notes that the tables are ready, and what is to be run in its order once all rows are there. */
export async function notePrepared(
  client: Connection,
  { source, statements }: { source: string; statements: string[] },
): Promise<void> {
  await writeSource(client, { id: source, isPrepared: true });
  for (const [index, statement] of statements.entries()) {
    await write(client, 'statement', String(index).padStart(6, '0'), statement);
  }
}

/** What is known of progress goes; which source it was stays, as a comment that nothing else reads. */
export async function noteComplete(client: Connection, source: string): Promise<void> {
  await client.query(`DROP TABLE ${progressTable}`);
  // A statement of this kind takes no parameters.
  const comment = client.escapeLiteral(completeComment(source));
  await client.query(`COMMENT ON TABLE ${migrationsTable} IS ${comment}`);
}

/** Whether a copy of that source into the database, which has migrations, was completed. */
export async function isCompleteCopy(client: Connection, source: string): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT obj_description('${migrationsTable}'::regclass, 'pg_class') = $1 AS is_complete`,
    [completeComment(source)],
  );
  return rows[0]?.is_complete === true;
}

function completeComment(source: string): string {
  return `complete copy of ${source}`;
}

export async function readPieces(client: Connection): Promise<Map<string, PieceProgress>> {
  const entries = await readEntries(client, 'piece', pieceSchema);
  return new Map(entries.map(({ name, value }) => [name, value]));
}

export async function writePiece(
  client: Connection,
  piece: string,
  progress: { table: string; position: number } & Tally,
): Promise<void> {
  await write(client, 'piece', piece, progress);
}

export async function forgetTable(client: Connection, table: string): Promise<void> {
  await client.query(`DELETE FROM ${progressTable} WHERE kind = 'piece' AND value->>'table' = $1`, [
    table,
  ]);
}

/** The statements that are still to be run. */
export async function readStatements(
  client: Connection,
): Promise<{ name: string; value: string }[]> {
  return readEntries(client, 'statement', z.string());
}

export async function forgetStatement(client: Connection, name: string): Promise<void> {
  await client.query(`DELETE FROM ${progressTable} WHERE kind = 'statement' AND name = $1`, [name]);
}

async function writeSource(client: Connection, source: CopiedSource): Promise<void> {
  await write(client, 'source', '', source);
}

async function write(client: Connection, kind: string, name: string, value: unknown) {
  await client.query(
    `INSERT INTO ${progressTable} (kind, name, value) VALUES ($1, $2, $3)
     ON CONFLICT (kind, name) DO UPDATE SET value = excluded.value`,
    [kind, name, JSON.stringify(value)],
  );
}

async function readEntries<Value>(
  client: Connection,
  kind: string,
  schema: z.ZodType<Value>,
): Promise<{ name: string; value: Value }[]> {
  const { rows } = await client.query(
    `SELECT name, value FROM ${progressTable} WHERE kind = $1 ORDER BY name`,
    [kind],
  );
  return z.array(z.object({ name: z.string(), value: schema })).parse(rows);
}

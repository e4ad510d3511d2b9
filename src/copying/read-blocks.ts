import { buffer } from 'node:stream/consumers';
import { to as copyTo } from 'pg-copy-streams';
import { z } from 'zod';
import type { Connection } from '../database/connections/connection';
import type { Table } from './catalog';
import { noRows, sumOf, type Tally, tallyOf } from './tally';

/** Rows that are read, stored and counted at once. */
export type Block = {
  /** The table that they belong to, and which piece of it they are from. */
  table: string;
  piece: string;
  /** What of the piece was read with it, from its beginning: in pages. */
  position: number;
  /** Whole rows in the text format of COPY, with the columns of the table. */
  rows: Buffer;
};

/** A block has as many pages as have this many bytes of text, and one at least. */
const blockBytes = 2 * 1024 ** 2;

/** How many pages are looked at for one. */
const maxPages = 256;

const planSchema = z.array(z.object({ page: z.coerce.number(), bytes: z.coerce.number() }));

/**
 * The rows of a piece from one page of it to another, in the order in which they lie there. The
 * transaction must have one snapshot, so that no row is met twice. Nothing is sorted, and a database
 * that gives its answers whole, as the embedded one, is asked for little at a time.
 */
export async function* readBlocks(
  client: Connection,
  table: Table,
  piece: string,
  {
    from = 0,
    until = Number.POSITIVE_INFINITY,
  }: { from?: number | undefined; until?: number | undefined } = {},
): AsyncGenerator<Block> {
  const sizes = await sizeOfRow(client, piece, table.columns);
  const end = Math.min(await countPages(client, piece), until);
  for (let at = from; at < end; ) {
    const next = await planBlock(client, piece, sizes, at, end);
    const columns = table.columns.join(', ');
    const stream = client.query(
      copyTo(`COPY (SELECT ${columns} FROM ONLY ${piece} WHERE ${isWithin(at, next)}) TO STDOUT`),
    );
    const rows = await buffer(stream);
    at = next;
    yield { table: table.name, piece, position: at, rows };
  }
}

/** What a piece holds now, up to a page of it where one is given. */
export async function tallyPiece(
  client: Connection,
  table: Table,
  piece: string,
  until?: number,
): Promise<Tally> {
  let tally = noRows;
  for await (const { rows } of readBlocks(client, table, piece, { until })) {
    tally = sumOf(tally, tallyOf(rows));
  }
  return tally;
}

async function countPages(client: Connection, piece: string): Promise<number> {
  const { rows } = await client.query<{ pages: number }>(
    `SELECT (pg_relation_size($1::regclass) / current_setting('block_size')::int)::int AS pages`,
    [piece],
  );
  return rows[0]?.pages ?? 0;
}

/** At which page the block ends that begins at `from`. */
async function planBlock(
  client: Connection,
  piece: string,
  size: string,
  from: number,
  end: number,
): Promise<number> {
  const furthest = Math.min(from + maxPages, end);
  const { rows } = await client.query(
    `SELECT (ctid::text::point)[0]::int AS page, sum(${size}) AS bytes
     FROM ONLY ${piece} WHERE ${isWithin(from, furthest)} GROUP BY 1 ORDER BY 1`,
  );
  let bytes = 0;
  for (const page of planSchema.parse(rows)) {
    bytes += page.bytes;
    if (bytes > blockBytes) return Math.max(page.page, from + 1);
  }
  return furthest;
}

function isWithin(from: number, to: number): string {
  return `ctid >= '(${from},0)'::tid AND ctid < '(${to},0)'::tid`;
}

const columnSchema = z.array(z.object({ name: z.string(), type: z.string(), length: z.number() }));

/**
 * An expression for about how many bytes of text a row is. The length of a text or of bytes is read
 * without reading them where they are stored apart.
 */
async function sizeOfRow(client: Connection, piece: string, columns: string[]): Promise<string> {
  const { rows } = await client.query(
    `SELECT quote_ident(attname) AS name, atttypid::regtype::text AS type, attlen AS length
     FROM pg_attribute WHERE attrelid = $1::regclass AND quote_ident(attname) = ANY ($2)`,
    [piece, columns],
  );
  const sizes = columnSchema.parse(rows).map(({ name, type, length }) => {
    if (length > 0) return '16';
    const isText = type === 'text' || type === 'character varying';
    const bytes =
      isText || type === 'bytea' ? `octet_length(${name})` : `octet_length(${name}::text)`;
    return `coalesce(${bytes}, 0)${type === 'bytea' ? ' * 2' : ''}`;
  });
  return ['1', ...sizes].join(' + ');
}

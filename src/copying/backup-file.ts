/**
 * A backup as a file: lines of JSON, some followed by rows in the text format of COPY, compressed by
 * gzip. The first line says what it is of, the last one what must have come before it.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline as pipelineUnheard } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';
import { messageOf } from '../error-parts';
import { withNewFile } from '../file-system/unfinished';
import { createByteReader } from './byte-reader';
import { sequenceSchema, tableSchema } from './catalog';
import type { Block } from './read-blocks';
import type { Source } from './source';
import { isSameTally, noRows, sumOf, type Tally, tallyOf } from './tally';

/** Readers of other versions of the format refuse it. */
const format = 'testimonials backup 1';
const anyFormat = z.object({ format: z.string().regex(/^testimonials backup \d+$/) });

/** Half as dense as the usual one, in a quarter of the time. */
const compressionLevel = 1;

const maxLineBytes = 16 * 1024 ** 2;
const maxRowsBytes = 1024 ** 3;

const headerSchema = z.object({
  format: z.literal(format),
  id: z.string(),
  takenAt: z.string(),
  migrations: z.array(z.string()),
  tables: z.array(tableSchema),
  sequences: z.array(sequenceSchema),
});
type BackupHeader = z.infer<typeof headerSchema>;

const blockSchema = z.object({
  table: z.string(),
  piece: z.string(),
  position: z.number(),
  bytes: z.int().min(0).max(maxRowsBytes),
});
const tallySchema = z.object({ rows: z.number(), checksum: z.string() });
const endSchema = z.object({ tallies: z.record(z.string(), tallySchema), sha256: z.string() });
const lineSchema = z.union([blockSchema, endSchema]);

type Tallies = Map<string, Tally>;

/**
 * Writes the source into a file, which is there once it is whole and stored. Resolves to what is in
 * it of each table.
 * @throws Error where another file is there by then, which stays
 */
export async function writeBackup(
  path: string,
  source: Source,
  { now, onBlock }: { now: Date; onBlock: (table: string, tally: Tally) => void },
): Promise<Tallies> {
  const tallies: Tallies = new Map(source.tables.map(({ name }) => [name, noRows]));
  const { migrations, tables, sequences } = source;
  const header: BackupHeader = {
    format,
    id: randomUUID(),
    takenAt: now.toISOString(),
    migrations,
    tables,
    sequences,
  };
  async function* content(): AsyncGenerator<Buffer> {
    const sha256 = createHash('sha256');
    const hashed = (bytes: Buffer) => {
      sha256.update(bytes);
      return bytes;
    };
    yield hashed(line(header));
    for await (const { rows, ...block } of source.blocks(new Map())) {
      yield hashed(line({ ...block, bytes: rows.length }));
      yield hashed(rows);
      const tally = sumOf(tallies.get(block.table) ?? noRows, tallyOf(rows));
      tallies.set(block.table, tally);
      onBlock(block.table, tally);
    }
    yield line({ tallies: Object.fromEntries(tallies), sha256: sha256.digest('hex') });
  }
  await withNewFile(path, async (unfinished) => {
    const file = createWriteStream(unfinished, { mode: 0o600, flush: true });
    await pipeline(content, createGzip({ level: compressionLevel }), file);
  });
  return tallies;
}

/**
 * Reads the whole file and resolves to what it says of itself.
 * @throws Error where it is no backup, or not whole, or not as it was written
 */
export async function verifyBackup(path: string): Promise<BackupHeader> {
  await requireFile(path);
  const tallies: Tallies = new Map();
  try {
    const reader = readerOf(path);
    const header = readHeader(await reader.line(maxLineBytes));
    for await (const part of readParts(reader)) {
      if ('rows' in part) {
        tallies.set(part.table, sumOf(tallies.get(part.table) ?? noRows, tallyOf(part.rows)));
      } else requireTallies(part.tallies, tallies);
    }
    return header;
  } catch (error) {
    const reason =
      error instanceof z.ZodError || error instanceof SyntaxError
        ? 'it is not in the format of a backup'
        : reasonOf(error);
    throw new Error(`${path} is no backup that can be used: ${reason}. Nothing was changed.`, {
      cause: error,
    });
  }
}

/** A verified backup, to be copied into a database. */
export function backupSource(path: string, header: BackupHeader): Source {
  const { id, migrations, tables, sequences } = header;
  return {
    id,
    migrations,
    tables,
    sequences,
    async *blocks(done) {
      for await (const block of readBlocksOf(path, id)) {
        if (block.position > (done.get(block.piece)?.position ?? 0)) yield block;
      }
    },
  };
}

function requireTallies(written: Record<string, Tally>, found: Tallies): void {
  for (const [table, tally] of Object.entries(written)) {
    if (!isSameTally(tally, found.get(table) ?? noRows)) {
      throw new Error(`the rows of ${table} are not those that were written`);
    }
  }
}

/** It is read twice, to be checked and to be copied, which a pipe can be but once. */
async function requireFile(path: string): Promise<void> {
  if ((await stat(path)).isFile()) return (await open(path)).close();
  throw new Error(`${path} is no file. Save what comes through a pipe as one first.`);
}

function readHeader(line: unknown): BackupHeader {
  const known = anyFormat.safeParse(line);
  if (known.success && known.data.format !== format) {
    throw new Error('another version of the service wrote it, restore it with that one or a newer');
  }
  return headerSchema.parse(line);
}

/** @throws Error also where another backup has taken the place of the one that was verified */
async function* readBlocksOf(path: string, id: string): AsyncGenerator<Block> {
  const reader = readerOf(path);
  if (readHeader(await reader.line(maxLineBytes)).id !== id) {
    throw new Error(
      `${path} has become another backup since it was checked. Restore one that nothing replaces, ` +
        'into an empty database.',
    );
  }
  for await (const part of readParts(reader)) if ('rows' in part) yield part;
}

type Reader = ReturnType<typeof createByteReader>;
type End = z.infer<typeof endSchema>;

/** What follows the first line. @throws Error where the file is not as it was written */
async function* readParts(reader: Reader): AsyncGenerator<Block | End> {
  for (;;) {
    const sha256 = reader.digest();
    const next = lineSchema.parse(await reader.line(maxLineBytes));
    if ('sha256' in next) {
      if (next.sha256 !== sha256) throw new Error('its checksum does not match');
      await reader.end();
      yield next;
      return;
    }
    const { bytes, ...block } = next;
    yield { ...block, rows: await reader.bytes(bytes) };
  }
}

function readerOf(path: string): Reader {
  const unpacked = createGunzip();
  // Whoever reads the last stream hears of the failure of any.
  pipelineUnheard(createReadStream(path), unpacked, () => {});
  return createByteReader(unpacked);
}

function line(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

function reasonOf(error: unknown): string {
  const message = messageOf(error);
  return message === 'unexpected end of file' ? 'its end is missing' : message;
}

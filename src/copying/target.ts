import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { Connection } from '../database/connections/connection';
import { makeBare } from './bare-tables';
import { countServiceConnections, readMigrationState, readTables, type Table } from './catalog';
import { inTransaction } from './connect';
import {
  forgetTable,
  isCompleteCopy,
  notePrepared,
  type PieceProgress,
  readCopiedSource,
  writePiece,
} from './progress';
import { type Block, tallyPiece } from './read-blocks';
import type { Source } from './source';
import { noRows, partsOf, sumOf, type Tally, tallyOf } from './tally';

/** Well below what a COPY may have on the embedded database. */
const statementBytes = 16 * 1024 ** 2;

/**
 * Whether the database, called `name`, holds an unfinished copy of that very source: its tables are
 * ready, and rows may be there.
 * @throws Error where it holds anything else, or a service is using it
 */
export async function isUnfinishedCopy(
  client: Connection,
  source: Source,
  { name }: { name: string },
): Promise<boolean> {
  const connections = await countServiceConnections(client);
  if (connections > 0) {
    throw new Error(`A service is using ${name} (${connections} connections): stop it first.`);
  }
  const copied = await readCopiedSource(client);
  if (!copied?.isPrepared) {
    await requireEmpty(client, source);
    return false;
  }
  if (copied.id !== source.id) {
    throw new Error(
      'The target holds an unfinished copy of something else: finish that one, or empty the target.',
    );
  }
  await requireSameMigrations(client, source);
  return true;
}

/** What the rows are changed by that came before stays undone, and would be done twice to the others. */
async function requireSameMigrations(client: Connection, source: Source): Promise<void> {
  const migrations = (await readMigrationState(client))?.migrations ?? [];
  const added = source.migrations.find((name) => !migrations.includes(name));
  if (added === undefined) return;
  throw new Error(
    `The source has got the migration ${added} since the copy into the target began. Empty the ` +
      'target and begin anew; the source is unchanged.',
  );
}

async function requireEmpty(client: Connection, source: Source): Promise<void> {
  const state = await readMigrationState(client);
  const tables = await readTables(client);
  for (const { name } of tables) {
    const { rows } = await client.query(`SELECT EXISTS (SELECT FROM ${name}) AS found`);
    if (!state || rows[0]?.found) {
      const found = await describeFound(client, { name, source, id: state?.id });
      throw new Error(`The target is not empty: ${found}. Nothing was changed.`);
    }
  }
  const unknown = state?.migrations.find((name) => !source.migrations.includes(name));
  if (unknown !== undefined) {
    throw new Error(
      `The target has the migration ${unknown}, which the data was not made with. Use a database ` +
        'without any tables.',
    );
  }
}

async function describeFound(
  client: Connection,
  { name, source, id }: { name: string; source: Source; id: string | undefined },
): Promise<string> {
  if (id === source.id) {
    return 'it is the database that is copied, or a copy that its server has made of it';
  }
  // One that was interrupted in its last moments has not told anybody.
  if (id !== undefined && (await isCompleteCopy(client, source.id))) {
    return 'the copy into it is complete, and a service can be started with it';
  }
  return `it has the table ${name}`;
}

/** Makes a database of the same migrations ready for the rows of the source. */
export async function prepareTarget(client: Connection, source: Source): Promise<void> {
  await inTransaction(client, async () => {
    await makePartitions(client, source.tables);
    const tables = await readTables(client);
    requireSameTables(source.tables, tables);
    const statements = await makeBare(client, tables);
    await notePrepared(client, { source: source.id, statements });
  });
}

/** Some are made while the service runs, such as one for each day: also between two tries. */
export async function makePartitions(client: Connection, tables: Table[]): Promise<void> {
  const known = new Set((await readTables(client)).flatMap(({ pieces }) => pieces).map(nameOf));
  for (const table of tables) {
    for (const { name, bound } of table.pieces) {
      if (known.has(name) || bound === null) continue;
      await client.query(`CREATE TABLE ${name} PARTITION OF ${table.name} ${bound}`);
    }
  }
}

function requireSameTables(wanted: Table[], found: Table[]): void {
  const describe = ({ name, columns }: Table) => `${name} (${[...columns].sort().join(', ')})`;
  const known = new Set(found.map(describe));
  const missing = wanted.find((table) => !known.has(describe(table)));
  if (missing || wanted.length !== found.length) {
    const name =
      missing?.name ?? found.find((table) => !wanted.map(nameOf).includes(table.name))?.name;
    throw new Error(
      `The table ${name} is not the same here and there, although the migrations are: somebody ` +
        'has changed one of them by hand.',
    );
  }
}

function nameOf({ name }: { name: string }): string {
  return name;
}

/** Stores a block, and with it how far its piece is: after a crash, all of that is there or nothing. */
export async function storeBlock(
  client: Connection,
  { table, piece, position, rows }: Block,
  columns: string[],
  before: PieceProgress | undefined,
): Promise<PieceProgress> {
  const progress = { table, position, ...sumOf(before ?? noRows, tallyOf(rows)) };
  await inTransaction(client, async () => {
    for (const part of partsOf(rows, statementBytes)) {
      const statement = `COPY ${table} (${columns.join(', ')}) FROM STDIN`;
      await pipeline(Readable.from([part]), client.query(copyFrom(statement)));
    }
    await writePiece(client, piece, progress);
  });
  return progress;
}

/** Removes what a table has got so far. */
export async function startTableAnew(client: Connection, table: string): Promise<void> {
  await inTransaction(client, async () => {
    await client.query(`TRUNCATE ${table}`);
    await forgetTable(client, table);
  });
}

/** Reads back what a table holds now. */
export async function tallyTable(client: Connection, table: Table): Promise<Tally> {
  let tally = noRows;
  for (const { name } of table.pieces) tally = sumOf(tally, await tallyPiece(client, table, name));
  return tally;
}

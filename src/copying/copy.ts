/** The one way in which rows get from one database into another: see `copyInto`. */
import { describeAddress } from '../database/connections/address';
import type { Connection } from '../database/connections/connection';
import { migrate, requireMigratable } from '../database/migrations/migrate';
import { readTables } from './catalog';
import { begin, inTransaction, withClient } from './connect';
import {
  createProgress,
  forgetStatement,
  noteComplete,
  type PieceProgress,
  readPieces,
  readStatements,
} from './progress';
import type { Source } from './source';
import { describeRows, isSameTally, noRows, sumOf, type Tally } from './tally';
import {
  isUnfinishedCopy,
  makePartitions,
  prepareTarget,
  startTableAnew,
  storeBlock,
  tallyTable,
} from './target';

type Say = (line: string) => void;

/** The advisory lock of whoever copies into a database. */
const copyLock = 72_707_371;

/** Rows after which it is said again how far a table is. */
const sayEveryRows = 100_000;

/**
 * Makes the database at `url` a copy of the source: its schema by the migrations that the source has,
 * then its rows with nothing that would be computed anew, compared with the source, then what is
 * left of the migrations. One that was interrupted goes on with a second call, where it was.
 * Resolves to what was copied of each table.
 * @throws Error where the target is not empty, or not the same in the end; nothing uses it then
 */
export async function copyInto(
  url: string,
  source: Source,
  { say, migrations: folder }: { say: Say; migrations?: string },
): Promise<Map<string, Tally>> {
  return withClient(url, async (client) => {
    await requireAlone(client);
    if (await isUnfinishedCopy(client, source, { name: describeAddress(url) })) {
      say('Going on with the copy that was interrupted.');
      await dropWhatChanged(client, source, say);
      // After that: rows of a default partition may belong to one that is new.
      await inTransaction(client, () => makePartitions(client, source.tables));
    } else {
      const only = new Set(source.migrations);
      await requireMigratable(client, { only, folder });
      // First of all: a service that found tables without rows would take them for its own.
      await createProgress(client, source.id);
      await migrate({ url, log: say, only, folder });
      await prepareTarget(client, source);
    }
    const tallies = await storeRows(client, source, say);
    await compare(client, source, tallies, say);
    await finish(client, source, say);
    await migrate({ url, log: say, folder });
    return tallies;
  });
}

/** Two that copied at once would each store what the other has stored. Until the connection ends. */
async function requireAlone(client: Connection): Promise<void> {
  const { rows } = await client.query(`SELECT pg_try_advisory_lock(${copyLock}) AS is_mine`);
  if (rows[0]?.is_mine) return;
  throw new Error('Another process is copying into the target right now. Wait until it has ended.');
}

/** What was copied before, and is otherwise in the source by now, is copied anew. */
async function dropWhatChanged(client: Connection, source: Source, say: Say): Promise<void> {
  const pieces = await readPieces(client);
  const now = await source.tallyUntil?.(pieces);
  if (!now) return;
  const changed = [...pieces].filter(
    ([name, progress]) => !isSameTally(now.get(name) ?? noRows, progress),
  );
  for (const table of new Set(changed.map(([, progress]) => progress.table))) {
    say(`${table} has changed in between: copying it anew.`);
    await startTableAnew(client, table);
  }
}

async function storeRows(
  client: Connection,
  source: Source,
  say: Say,
): Promise<Map<string, Tally>> {
  const pieces = await readPieces(client);
  const columns = new Map(source.tables.map((table) => [table.name, table.columns]));
  const progress = createProgressReport(say);
  for await (const block of source.blocks(pieces)) {
    const known = columns.get(block.table);
    if (!known) throw new Error(`The source has no table ${block.table}.`);
    pieces.set(block.piece, await storeBlock(client, block, known, pieces.get(block.piece)));
    progress(block.table, tallyOfTable(pieces, block.table));
  }
  return new Map(source.tables.map(({ name }) => [name, tallyOfTable(pieces, name)]));
}

function tallyOfTable(pieces: Map<string, PieceProgress>, table: string): Tally {
  return [...pieces.values()].filter((piece) => piece.table === table).reduce(sumOf, noRows);
}

/** Says how far a table is, each time that so many rows more are done. */
export function createProgressReport(say: Say): (table: string, tally: Tally) => void {
  const said = new Map<string, number>();
  return (table, tally) => {
    if (tally.rows - (said.get(table) ?? 0) < sayEveryRows) return;
    said.set(table, tally.rows);
    say(`${table}: ${describeRows(tally)}`);
  };
}

/** Reads the target back. The source's rows were counted as they were read. */
async function compare(
  client: Connection,
  source: Source,
  tallies: Map<string, Tally>,
  say: Say,
): Promise<void> {
  await begin(client, 'ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    const tables = new Map((await readTables(client)).map((table) => [table.name, table]));
    for (const { name, columns } of source.tables) {
      const table = tables.get(name);
      const wanted = tallies.get(name) ?? noRows;
      const found = table ? await tallyTable(client, { ...table, columns }) : noRows;
      if (!isSameTally(wanted, found)) {
        throw new Error(
          `The table ${name} differs: ${wanted.rows} rows with the checksum ${wanted.checksum} were ` +
            `read, and ${found.rows} with ${found.checksum} are in the target. Empty the target and ` +
            'begin anew; the source is unchanged.',
        );
      }
      say(`${name}: ${describeRows(found)}, the same (${found.checksum})`);
    }
  } finally {
    await client.query('ROLLBACK').catch(() => undefined);
  }
}

/** Brings back what was taken away from the tables, each for itself, so that little is done twice. */
async function finish(client: Connection, source: Source, say: Say): Promise<void> {
  const statements = await readStatements(client);
  say(`Building indexes and checking foreign keys: ${statements.length} statements.`);
  for (const { name, value } of statements) {
    await inTransaction(client, async () => {
      await client.query(value);
      await forgetStatement(client, name);
    });
  }
  // Before the copy counts as complete, for nothing would make good for it.
  await client.query('ANALYZE');
  await inTransaction(client, async () => {
    for (const { name, value, isCalled } of source.sequences) {
      await client.query('SELECT setval($1::regclass, $2, $3)', [name, value, isCalled]);
    }
    await noteComplete(client, source.id);
  });
}

import type { Connection } from '../database/connections/connection';
import { unfinishedCopyError } from '../database/migrations/errors';
import {
  countServiceConnections,
  readMigrationState,
  readSequences,
  readTables,
  type Sequence,
  type Table,
} from './catalog';
import { begin, inTransaction } from './connect';
import { readCopiedSource } from './progress';
import { type Block, readBlocks, tallyPiece } from './read-blocks';
import type { Tally } from './tally';

/** How far each piece is copied, by its name. */
export type Positions = ReadonlyMap<string, { position: number }>;

/** Where rows are copied from: a database as it is at one moment, or a backup of it. */
export type Source = {
  /** The same for as long as it is the same source, also in another process. */
  id: string;
  /** Those that it was made with, by name. */
  migrations: string[];
  tables: Table[];
  sequences: Sequence[];
  /** All rows but those up to the positions. */
  blocks(done: Positions): AsyncIterable<Block>;
  /** The pieces' rows up to the positions, counted now. Undefined of a source that cannot change. */
  tallyUntil?(positions: Positions): Promise<Map<string, Tally>>;
};

/**
 * The database behind a connection, as it is now; the connection is the source's until `use`
 * ends. `isLocked` keeps everybody from changing it meanwhile, so that nothing is confirmed which
 * would be missing in the copy.
 * @throws Error where it has no tables of the service, where the rows of another database are still
 * being copied into it, and with `isLocked` where a service uses it
 */
export async function withDatabaseSource<T>(
  client: Connection,
  { isLocked }: { isLocked: boolean },
  use: (source: Source) => Promise<T>,
): Promise<T> {
  const tables = await inTransaction(client, async () => {
    if (isLocked) await requireNoService(client);
    if ((await readCopiedSource(client)) !== undefined) throw unfinishedCopyError();
    return readTables(client);
  });
  await begin(client, 'ISOLATION LEVEL REPEATABLE READ');
  try {
    // Before anything is read: the snapshot is of when the first statement after it begins. The
    // weaker lock keeps no one from writing, and partitions from being dropped.
    const mode = isLocked ? 'SHARE' : 'ACCESS SHARE';
    for (const { name } of tables) await client.query(`LOCK TABLE ${name} IN ${mode} MODE`);
    return await use(await describeDatabase(client));
  } finally {
    await client.query('ROLLBACK').catch(() => undefined);
  }
}

async function requireNoService(client: Connection): Promise<void> {
  const connections = await countServiceConnections(client);
  if (connections === 0) return;
  throw new Error(
    `A service is using the database that is to be moved (${connections} connections). Stop it ` +
      'first: what it stored from now on would be missing.',
  );
}

async function describeDatabase(client: Connection): Promise<Source> {
  const state = await readMigrationState(client);
  if (!state) throw new Error('The database that is to be copied is empty: it has no migrations.');
  const tables = await readTables(client);
  return {
    ...state,
    tables,
    sequences: await readSequences(client),
    async *blocks(done) {
      for (const table of tables) {
        for (const { name } of table.pieces) {
          yield* readBlocks(client, table, name, { from: done.get(name)?.position });
        }
      }
    },
    tallyUntil: async (positions) => {
      const tallies = new Map<string, Tally>();
      for (const table of tables) {
        for (const { name } of table.pieces) {
          const until = positions.get(name)?.position;
          if (until !== undefined) tallies.set(name, await tallyPiece(client, table, name, until));
        }
      }
      return tallies;
    },
  };
}

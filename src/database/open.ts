import { setTimeout as sleep } from 'node:timers/promises';
import { env, provideEnv } from '../env';
import { pool } from './client';
import { FolderLockedError } from './embedded/folder-lock';
import { type EmbeddedDatabase, findEmbedded, openEmbedded } from './embedded/open';
import { MigrationError, migrate } from './migrate';

/** Undoes what opening the database did to this process. */
type Close = () => Promise<void>;

/** How long to wait for a data folder that another process has; a command needs a few seconds. */
const folderTimeoutMs = 20_000;
const pollMs = 100;

/**
 * Makes sure that there is a migrated database behind `database()`: the server that DATABASE_URL
 * names, else the embedded one. `shared` joins an embedded database that a service has open, as the
 * command line does; where it opens one itself, nobody can join that, for it closes it soon: others
 * wait their turn.
 * @throws Error that says what to do, where it cannot be opened or a migration fails
 */
export async function openDatabase(options: {
  shared: boolean;
  say: (line: string) => void;
}): Promise<Close> {
  const { DATABASE_URL: configured, DATA_FOLDER: folder } = env();
  if (configured) {
    await prepareServer(configured, options.say);
    return async () => {};
  }
  const embedded = await openOrJoinEmbedded(folder, options);
  provideEnv({ DATABASE_URL: embedded.url });
  try {
    await migrate({ url: embedded.url, log: options.say });
    embedded.limitStatements();
  } catch (error) {
    await embedded.close();
    throw error;
  }
  return () => embedded.close();
}

async function prepareServer(url: string, say: (line: string) => void): Promise<void> {
  try {
    await migrate({ url, log: say });
    // Requests go by other connections than the migrations, and these may be refused.
    await pool().query('SELECT 1');
  } catch (error) {
    if (error instanceof MigrationError) throw error;
    const { host, pathname } = new URL(url);
    throw new Error(
      `The database ${host}${pathname} cannot be used: ${reasonOf(error)}. ` +
        'Check DATABASE_URL, and that the server runs.',
      { cause: error },
    );
  }
}

/** A name with several addresses fails once for each, under one error without a message. */
function reasonOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? first.message : String(first);
}

async function openOrJoinEmbedded(
  folder: string,
  options: { shared: boolean; say: (line: string) => void },
): Promise<EmbeddedDatabase> {
  const deadline = performance.now() + folderTimeoutMs;
  for (let isWaiting = false; ; isWaiting = true) {
    const servedUrl = findEmbedded(folder);
    if (servedUrl && options.shared) {
      // Whoever serves it watches over it.
      return { url: servedUrl, limitStatements: () => {}, close: async () => {} };
    }
    try {
      const opened = await openEmbedded({ folder, isServed: !options.shared });
      // Whoever meant the database of a service that runs elsewhere sees that this is another.
      if (options.shared) options.say(`Opened the embedded database in ${folder}.`);
      return opened;
    } catch (error) {
      if (!(error instanceof FolderLockedError) || performance.now() > deadline) throw error;
      // Who serves the folder keeps it; who has it without serving it is a command, or starting.
      if (!options.shared && findEmbedded(folder)) throw error;
      if (!isWaiting) options.say(`Waiting for the data folder ${folder} …`);
      await sleep(pollMs);
    }
  }
}

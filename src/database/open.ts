import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { env, provideEnv } from '../env';
import { messageOf } from '../error-parts';
import { makeDataFolder } from '../file-system/data-folder';
import { database } from './client';
import { describeAddress } from './connections/address';
import { databaseAdvice, unwrapped } from './connections/advice';
import { FolderLockedError } from './embedded/folder-lock';
import { type EmbeddedDatabase, findEmbedded, hasEmbedded, openEmbedded } from './embedded/open';
import { MigrationError } from './migrations/errors';
import { migrate } from './migrations/migrate';

/** Undoes what opening the database did to this process. */
type Close = () => Promise<void>;

/** How long to wait for a data folder that another process has: a command needs seconds, or many. */
const folderTimeoutMs = 60_000;
const pollMs = 100;

/**
 * How long the embedded database may take to answer for the first time. It is there, for it was opened;
 * but where many services start at once, as with their machine, each has little of the processor.
 */
const embeddedConnectMs = 60_000;

/**
 * Makes sure that there is a migrated database behind `database()`: the server that DATABASE_URL
 * names, else the embedded one. `shared` joins an embedded database that a service has open, as the
 * command line does; where it opens one itself, nobody can join that, for it closes it soon: others
 * wait their turn. Where `isAsked` is false, this process opens it for others alone;
 * where `mayBegin` is false, an embedded database must be there.
 * @throws Error that says what to do, where it cannot be opened or a migration fails
 */
export async function openDatabase(options: {
  shared: boolean;
  isAsked?: boolean;
  mayBegin?: boolean;
  say: (line: string) => void;
}): Promise<Close> {
  const { DATABASE_URL: configured, DATA_FOLDER: folder } = env();
  const { isAsked = true, mayBegin = true } = options;
  if (configured) {
    await prepareServer(configured, async (url) => {
      await migrate({ url, log: options.say });
      // Requests go by other connections than the migrations, and these may be refused.
      if (isAsked) await firstStatement();
    });
    return async () => {};
  }
  if (!mayBegin) requireEmbedded(folder);
  const embedded = await openOrJoinEmbedded(folder, options);
  provideEnv({ DATABASE_URL: embedded.url });
  try {
    await migrate({ url: embedded.url, connectMs: embeddedConnectMs, log: options.say });
    embedded.limitStatements();
    if (isAsked) await firstStatement();
  } catch (error) {
    await embedded.close();
    throw error;
  }
  return () => embedded.close();
}

/** @throws Error that says what to do, where the folder has no embedded database or cannot be used */
export function requireEmbedded(folder: string): void {
  // Of a folder that this user may not look into, this says more.
  if (existsSync(folder)) makeDataFolder(folder);
  if (hasEmbedded(folder)) return;
  throw new Error(
    `There is no database in ${folder}, and DATABASE_URL is not set. Run this with the settings of ` +
      'the service.',
  );
}

/**
 * Makes the client's first statement, for a process beside the one that has opened the database.
 * @throws Error that says what to do, where it cannot be asked
 */
export function prepareClient(): Promise<void> {
  return prepareServer(env().DATABASE_URL ?? '', firstStatement);
}

async function prepareServer(url: string, prepare: (url: string) => Promise<void>): Promise<void> {
  try {
    await prepare(url);
  } catch (error) {
    if (error instanceof MigrationError) throw error;
    const reason = unwrapped(error);
    throw new Error(
      `The database ${describeAddress(url)} cannot be used: ${messageOf(reason)}. ${databaseAdvice(reason)}`,
      { cause: error },
    );
  }
}

/**
 * The client's first statement loads its engine, a third of a second of the processor: before
 * anybody waits for it, and before the deliveries of a process that was killed do.
 */
async function firstStatement(): Promise<void> {
  await database().$queryRaw`SELECT 1`;
}

async function openOrJoinEmbedded(
  folder: string,
  options: { shared: boolean; say: (line: string) => void },
): Promise<EmbeddedDatabase> {
  // Before a look into it, which would say less of a folder of another user.
  makeDataFolder(folder);
  const deadline = performance.now() + folderTimeoutMs;
  /** Says that this process waits, once. */
  let sayWaiting: typeof options.say | undefined = options.say;
  for (;;) {
    const servedUrl = findEmbedded(folder);
    if (servedUrl && options.shared) {
      // Whoever serves it watches over it.
      return { url: servedUrl, limitStatements: () => {}, close: async () => {} };
    }
    try {
      const opened = await openEmbedded({ folder, isServed: !options.shared, say: sayWaiting });
      // Whoever meant the database of a service that runs elsewhere sees that this is another.
      if (options.shared) options.say(`Opened the embedded database in ${folder}.`);
      return opened;
    } catch (error) {
      if (!(error instanceof FolderLockedError) || performance.now() > deadline) throw error;
      // Who serves the folder keeps it; who has it without serving it is a command, or starting.
      if (!options.shared && findEmbedded(folder)) throw error;
      sayWaiting?.(`Waiting for the data folder ${folder} …`);
      sayWaiting = undefined;
      await sleep(pollMs);
    }
  }
}

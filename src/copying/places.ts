/** The databases that rows are copied from and into, as the commands name them. */
import { describeAddress } from '../database/connections/address';
import type { Connection } from '../database/connections/connection';
import { FolderLockedError } from '../database/embedded/folder-lock';
import { findEmbedded, hasEmbedded, openEmbedded } from '../database/embedded/open';
import { isSameFile } from '../file-system/same-file';
import { statementMs, withClient } from './connect';

/** A server's database by its address, or the embedded one in a data folder. */
export type Place = { url: string } | { folder: string };

/** Nobody else waits for a database that is open for copying alone. */
const idleTransactionMs = 3_600_000;

/** Rows pass once, so that few pages need to stay in memory, where 128 MB of them would. */
const settings = { shared_buffers: '16MB', maintenance_work_mem: '16MB' };

/** As it may be printed: an address without its password. */
export function describePlace(place: Place): string {
  return 'url' in place ? describeAddress(place.url) : `the embedded database in ${place.folder}`;
}

/** Whether a service on this machine has the embedded database open, and lets others read it. */
export function isServed(place: Place): place is { folder: string } {
  return 'folder' in place && findEmbedded(place.folder) !== undefined;
}

/** Whether both are the embedded database in one folder, which is there, by whatever names. */
export function isSameFolder(one: Place, other: Place): boolean {
  return 'folder' in one && 'folder' in other && isSameFile(one.folder, other.folder);
}

/**
 * Gives `use` the address of the database, which of an embedded one is open for that long and
 * nobody else's.
 * @throws Error where a service has the embedded database open
 */
export async function withAddress<T>(place: Place, use: (url: string) => Promise<T>): Promise<T> {
  if ('url' in place) return use(place.url);
  const embedded = await openAlone(place.folder);
  try {
    return await use(embedded.url);
  } finally {
    await embedded.close();
  }
}

/** As `withAddress`, with a connection. @throws Error also where there is no embedded database */
export async function withConnection<T>(
  place: Place,
  use: (client: Connection) => Promise<T>,
): Promise<T> {
  // To open one that is not there would make it.
  if ('folder' in place && !hasEmbedded(place.folder)) {
    throw new Error(`There is no database in ${place.folder}.`);
  }
  return withAddress(place, (url) => withClient(url, use));
}

async function openAlone(folder: string) {
  try {
    const embedded = await openEmbedded({ folder, isServed: false, idleTransactionMs, settings });
    embedded.limitStatements(statementMs);
    return embedded;
  } catch (error) {
    if (!(error instanceof FolderLockedError)) throw error;
    throw new Error(`${error.message} Nothing was changed.`, { cause: error });
  }
}

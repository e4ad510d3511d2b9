import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { codeOf } from '../error-parts';

const { R_OK, W_OK, X_OK } = constants;

/** What holds the embedded database; uploaded files are not looked at, which may be a great many. */
const ofDatabase = /^(lock-\d+\.json|postgres(\..+)?)$/;

/**
 * Makes the folder, for this user alone, where there is none.
 * @throws Error that says what to do, where it is none, cannot be written to, or has files of a
 * database that are kept from this user
 */
export function makeDataFolder(folder: string): void {
  try {
    makeWithThoseAbove(resolve(folder));
    accessSync(folder, R_OK | W_OK | X_OK);
  } catch (cause) {
    throw dataFolderError(folder, cause);
  }
  const foreign = foreignFile(folder);
  if (foreign !== undefined) throw foreignFileError(folder, foreign);
}

/** Node's own way tries for ever where a folder that is there takes no other, as /proc. */
function makeWithThoseAbove(folder: string): void {
  if (isFolder(folder)) return;
  if (!existsSync(dirname(folder))) makeWithThoseAbove(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process that starts may have made it meanwhile.
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The first link on the way up from a folder that leads to nothing, if there is one. */
export function deadLink(folder: string): string | undefined {
  if (existsSync(folder) || dirname(folder) === folder) return undefined;
  return isLink(folder) ? folder : deadLink(dirname(folder));
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** What to do where something of the folder cannot be made or written. */
export function dataFolderError(folder: string, cause: unknown): Error {
  const link = deadLink(resolve(folder));
  const reason = link === undefined ? reasonOf(cause) : `the link ${link} leads nowhere`;
  const advice =
    codeOf(cause) === 'ENOSPC'
      ? 'Make room, then start again.'
      : 'Choose one that this user may write to (DATA_FOLDER).';
  return new Error(`The data folder ${resolve(folder)} cannot be used: ${reason}. ${advice}`, {
    cause,
  });
}

/** What to do where a file of the folder is another user's. */
export function foreignFileError(folder: string, file: string): Error {
  const user = process.getuid?.() ?? '';
  return new Error(
    `The data folder ${resolve(folder)} cannot be used: user ${user} may not use ${file}. A ` +
      'command that another user ran, as root, leaves such files: give them back with ' +
      `"chown -R ${user} ${resolve(folder)}", and run commands as the user of the service.`,
  );
}

/** The first file of the embedded database that this process may not read and write, if one is. */
export function foreignFile(folder: string, mayUse = mayUseFile): string | undefined {
  for (const name of readdirSync(folder)) {
    const file = ofDatabase.test(name) ? foreignWithin(join(folder, name), mayUse) : undefined;
    if (file !== undefined) return file;
  }
  return undefined;
}

function foreignWithin(path: string, mayUse: typeof mayUseFile): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  // A service or a backup that has the folder open makes and removes files meanwhile.
  if (!stats) return undefined;
  if (!mayUse(path, stats)) return path;
  if (!stats.isDirectory()) return undefined;
  for (const name of namesIn(path)) {
    const file = foreignWithin(join(path, name), mayUse);
    if (file !== undefined) return file;
  }
  return undefined;
}

/** What stands in a folder; nothing where that has gone. */
export function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

function mayUseFile(path: string, stats: { uid: number; isDirectory(): boolean }): boolean {
  if (stats.uid === process.getuid?.()) return true;
  try {
    accessSync(path, stats.isDirectory() ? R_OK | W_OK | X_OK : R_OK | W_OK);
    return true;
  } catch (error) {
    return codeOf(error) !== 'EACCES';
  }
}

function reasonOf(error: unknown): string {
  switch (codeOf(error)) {
    case 'EEXIST':
      return 'it is a file';
    case 'ENOENT':
      return 'no folder can be made there';
    case 'ENOTDIR':
      return 'a file stands in its path';
    case 'EACCES':
    case 'EPERM':
      return `user ${process.getuid?.() ?? ''} may not write there`;
    case 'ENOSPC':
      return 'its disk is full';
    case 'EROFS':
      return 'its file system cannot be written to';
    default:
      return String(error);
  }
}

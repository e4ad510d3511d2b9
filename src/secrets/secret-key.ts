import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { env, minSecretKeyLength, provideEnv } from '../env';
import { codeOf } from '../error-parts';
import {
  dataFolderError,
  deadLink,
  foreignFileError,
  makeDataFolder,
} from '../file-system/data-folder';

/**
 * Makes sure that there is a SECRET_KEY: where none is configured, one is made and kept in the data
 * folder. Losing it signs everyone out and makes stored signing secrets unreadable.
 * @throws Error that says what to do, where the kept one is not whole (to make another would be to
 * lose it), cannot be read, or none can be kept
 */
export function ensureSecretKey(): void {
  const { SECRET_KEY: configured, DATA_FOLDER: folder } = env();
  if (configured) return;
  const file = fileIn(folder);
  if (!existsSync(file)) makeSecretKey(folder, file);
  provideEnv({ SECRET_KEY: readSecretKey(folder, file) });
}

/**
 * The key that the data folder keeps; undefined where it has none.
 * @throws Error that says what to do, where it is not whole or cannot be read
 */
export function keptSecretKey(folder: string): string | undefined {
  const file = fileIn(folder);
  return existsSync(file) || leadsNowhere(file) ? readSecretKey(folder, file) : undefined;
}

function fileIn(folder: string): string {
  return join(folder, 'secret-key');
}

function leadsNowhere(file: string): boolean {
  return deadLink(file) === file;
}

function readSecretKey(folder: string, file: string): string {
  try {
    const key = readFileSync(file, 'utf8').trim();
    if (key.length < minSecretKeyLength) throw brokenKeyError(file, key.length);
    return key;
  } catch (error) {
    if (codeOf(error) === 'EACCES') throw foreignFileError(folder, file);
    if (leadsNowhere(file)) throw deadLinkError(file);
    // Node says of it no more than that something is one.
    if (codeOf(error) === 'EISDIR') throw folderError(file);
    throw error;
  }
}

/**
 * Of several processes that start at once, one makes the key; nobody reads it half written, nor
 * after a power cut. The draft's name is random: containers that share the folder share the numbers
 * of processes too.
 */
function makeSecretKey(folder: string, file: string): void {
  makeDataFolder(folder);
  const draft = `${file}.${crypto.randomUUID()}.draft`;
  try {
    writeFileSync(draft, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx', flush: true });
    linkSync(draft, file);
    flushFolder(folder);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    throw dataFolderError(folder, error);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** So that the file's name outlasts a power cut as well. Windows opens no folders. */
function flushFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** A container engine makes one where the file that it is to mount is not there. */
function folderError(file: string): Error {
  return new Error(
    `${file} is a folder, and not the file that has the secret key. Put that file in its place, or set ` +
      'SECRET_KEY to the key that was in it. Where there was none yet, remove the folder: a key is made.',
  );
}

/** As secrets are linked that are mounted elsewhere. */
function deadLinkError(file: string): Error {
  return new Error(
    `${file} is a link that leads nowhere. Put the file that has the secret key where it leads, or set ` +
      'SECRET_KEY to the key that was in it. Where there was none yet, remove the link: a key is made.',
  );
}

function brokenKeyError(file: string, length: number): Error {
  return new Error(
    `The secret key in ${file} is ${length === 0 ? 'empty' : `cut off after ${length} characters`}. ` +
      'Put that file back from a backup, or set SECRET_KEY to the key that was in it. Where it is ' +
      'lost, or nothing is stored yet, remove the file: a new key is made, everyone is signed out, ' +
      'and signing secrets of webhook endpoints that were stored have to be rotated.',
  );
}

import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { link, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { endingWith } from '../ending';
import { codeOf, messageOf, syscallOf } from '../error-parts';
import { flushFolder } from './flush';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a task of a command that makes a file or folder at `path`, which is gone afterwards: also where
 * the task fails, and where a signal ends the process, which would else run nothing of a `finally`. What
 * is to stay is renamed before. For processes that do nothing else at a signal.
 */
export async function withUnfinished<T>(path: string, task: () => Promise<T>): Promise<T> {
  // What is being written meanwhile may come in between: a few tries.
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  let isEnding = false;
  // Heard until all is gone: a second signal would end the process at once, and npm hands each Ctrl-C
  // on to whom the terminal has told of it already.
  const end = (signal: NodeJS.Signals) => {
    if (isEnding) return;
    isEnding = true;
    try {
      remove();
    } finally {
      forget();
      process.kill(process.pid, signal);
    }
  };
  const forget = () => {
    for (const signal of signals) process.removeListener(signal, end);
  };
  for (const signal of signals) process.on(signal, end);
  return endingWith(() => {
    forget();
    remove();
  }, task);
}

/**
 * Since the last write. By age and not by process: several machines may have the folder, and of a name
 * the next file is often made days later.
 */
const abandonedAfterMs = 24 * 60 * 60 * 1000;

const unfinishedEnding = /^\.[0-9a-f]{8}\.part$/;

/**
 * Has a file written beside its place, under a name that nothing else has, and puts it there once it is
 * whole; the name outlasts a power cut, as do the contents that `write` has flushed. What killed processes
 * left of the same file more than a day ago is removed before.
 */
export async function withWholeFile(
  path: string,
  write: (unfinished: string) => Promise<void>,
): Promise<void> {
  await writeBeside(path, write, (unfinished) => rename(unfinished, path));
}

/** As `withWholeFile`. @throws Error where something is at its place by then, which stays */
export async function withNewFile(
  path: string,
  write: (unfinished: string) => Promise<void>,
): Promise<void> {
  await writeBeside(path, write, async (unfinished) => {
    try {
      await link(unfinished, path);
    } catch (error) {
      if (codeOf(error) === 'EEXIST' || existsSync(path)) throw existsError(path);
      // Not every file system has links.
      await rename(unfinished, path);
    }
  });
}

export function existsError(path: string): Error {
  return new Error(`${path} exists already. Name a new file.`);
}

async function writeBeside(
  path: string,
  write: (unfinished: string) => Promise<void>,
  put: (unfinished: string) => Promise<void>,
): Promise<void> {
  await removeAbandoned(path);
  const unfinished = `${path}.${randomUUID().slice(0, 8)}.part`;
  await withUnfinished(unfinished, async () => {
    await write(unfinished).catch((error: unknown) => {
      throw sayingWhere(path, error);
    });
    await put(unfinished);
    await flushFolder(dirname(path));
  });
}

/** What goes wrong with a file once it is open: a full disk, a used up quota, a folder that is read. */
const unnamedCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EISDIR']);

/** What goes wrong with an open file does not say of which it was. Any other error as it is. */
export function sayingWhere(path: string, error: unknown): unknown {
  if (!unnamedCodes.has(codeOf(error) ?? '') || 'path' in Object(error)) return error;
  const done = syscallOf(error) === 'read' ? 'read' : 'written';
  return new Error(`${path} cannot be ${done}: ${messageOf(error)}`, { cause: error });
}

async function removeAbandoned(path: string): Promise<void> {
  const [folder, name] = [dirname(path), basename(path)];
  // A folder that may not be read may still take a file, whose writing tells what else is wrong.
  for (const found of await readdir(folder).catch(() => [])) {
    if (!found.startsWith(name) || !unfinishedEnding.test(found.slice(name.length))) continue;
    const left = join(folder, found);
    const { mtimeMs = Date.now() } = (await stat(left).catch(() => undefined)) ?? {};
    if (Date.now() - mtimeMs > abandonedAfterMs) await rm(left, { force: true }).catch(() => {});
  }
}

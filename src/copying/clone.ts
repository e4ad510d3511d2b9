/**
 * A copy of the files of an embedded database that a service is using, as they are at one moment.
 * The embedded database has one session: rows could be read with one snapshot only while everybody
 * waits. Its files are copied while the service goes on, and while everybody waits only those which
 * have changed meanwhile. What lies in them then is what a killed process leaves, which the database
 * recovers from when it is opened.
 */
import { createHash } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { copyFile, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Connection } from '../database/connections/connection';
import { freeBytes } from '../database/embedded/free-space';
import { findEmbedded } from '../database/embedded/open';
import { identifyProcess, isRunning } from '../database/embedded/process-identity';
import { endingWith } from '../ending';
import { codeOf } from '../error-parts';
import { withUnfinished } from '../file-system/unfinished';
import { connect } from './connect';

/** How long others may wait; the file that is being copied then is finished. */
const maxHoldMs = 2_000;
const maxAttempts = 10;

/** The database ends a transaction in which nothing is said for 5 s. */
const keepAliveMs = 1_000;

/** Two changes within one step of the file system's clock look like one. */
const clockStepMs = 1_000;

/** Left to the service, whose database stops without room. */
const spareBytes = 256 * 1024 ** 2;

/** Versions before left the start of the process out. */
const namePattern = /^clone-(\d+)(-[0-9a-f]{16})?$/;

/**
 * Gives `use` a data folder with the clone, within the data folder, so that nobody reads it
 * who may not, and how long others waited for it. It is gone afterwards, as is what killed processes
 * left.
 * @throws Error where there is no room for it, or where more is written all the time than can be
 * copied in the time that others may wait
 */
export async function withClone<T>(
  folder: string,
  use: (clone: { folder: string; heldMs: number }) => Promise<T>,
): Promise<T> {
  await removeAbandonedClones(folder);
  const clone = join(folder, cloneName(process.pid));
  return withUnfinished(clone, async () => {
    await mkdir(clone, { recursive: true, mode: 0o700 });
    return use({ folder: clone, heldMs: await cloneServed(folder, clone) });
  });
}

async function cloneServed(folder: string, clone: string): Promise<number> {
  const url = findEmbedded(folder);
  if (url === undefined) throw new Error(`No service is using the data folder ${folder} any more.`);
  const from = join(folder, 'postgres');
  const update = createMirror(from, join(clone, 'postgres'));
  await requireRoom(folder, from);
  const client = await connect(url);
  return endingWith(
    () => client.end(),
    async () => {
      for (let attempt = 1; attempt <= maxAttempts; attempt++) {
        await update();
        // Leaves little in the log to be copied while others wait.
        await client.query('CHECKPOINT');
        await update();
        const heldMs = await updateAlone(client, update);
        if (heldMs !== undefined) return heldMs;
      }
      throw new Error(
        `More is written to the database than could be copied within ${maxHoldMs / 1000} s. Try again ` +
          'when the service has less to do, or stop it for the backup.',
      );
    },
  );
}

/** Resolves to how long others had to wait; undefined where it would have been for too long. */
async function updateAlone(client: Connection, update: Update): Promise<number | undefined> {
  await client.query('BEGIN');
  const beganAt = performance.now();
  const keepAlive = setInterval(() => client.query('SELECT 1').catch(() => {}), keepAliveMs);
  const end = () => {
    clearInterval(keepAlive);
    // Also tells that the database was held until now: it answers none whose transaction it ended.
    return client.query('COMMIT');
  };
  return endingWith(end, async () => {
    const isComplete = await update(() => performance.now() - beganAt > maxHoldMs);
    return isComplete ? performance.now() - beganAt : undefined;
  });
}

/** Copies what has changed since the last time. False where `isOver` has ended it before. */
type Update = (isOver?: () => boolean) => Promise<boolean>;

function createMirror(from: string, to: string): Update {
  /** What each file was known by before it was copied. */
  const copied = new Map<string, string>();

  async function removeAllBut(present: ReadonlySet<string>): Promise<void> {
    for (const name of [...copied.keys()].filter((known) => !present.has(known))) {
      await rm(join(to, name), { force: true });
      copied.delete(name);
    }
  }

  async function updateFile(name: string): Promise<void> {
    const before = await statIfThere(join(from, name));
    if (!before || copied.get(name) === describe(before)) return;
    copied.delete(name);
    if (!(await copyIfThere(join(from, name), join(to, name)))) return;
    const isSettled = Date.now() - Number(before.mtimeMs) > clockStepMs;
    copied.set(name, isSettled ? describe(before) : 'may have changed unseen');
  }

  return async (isOver = () => false) => {
    const { files, folders } = await list(from);
    // Also those that are empty, which the database needs.
    for (const name of folders) await mkdir(join(to, name), { recursive: true, mode: 0o700 });
    await removeAllBut(new Set(files));
    for (const name of files) {
      if (isOver()) return false;
      await updateFile(name);
    }
    return true;
  };
}

async function list(root: string): Promise<{ files: string[]; folders: string[] }> {
  const files: string[] = [];
  const folders: string[] = [];
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const names = entry.isDirectory() ? folders : files;
    names.push(relative(root, join(entry.parentPath, entry.name)));
  }
  return { files, folders };
}

function describe({ size, mtimeNs }: BigIntStats): string {
  return `${size} ${mtimeNs}`;
}

async function statIfThere(path: string): Promise<BigIntStats | undefined> {
  return stat(path, { bigint: true }).catch(ignoreMissing);
}

/** By reference where the file system can, so that it takes no time and no room. */
async function copyIfThere(from: string, to: string): Promise<boolean> {
  const copied = await copyFile(from, to, constants.COPYFILE_FICLONE).then(
    () => true,
    ignoreMissing,
  );
  return copied ?? false;
}

function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) === 'ENOENT') return undefined;
  throw error;
}

async function requireRoom(folder: string, from: string): Promise<void> {
  const { files } = await list(from);
  const stats = await Promise.all(files.map((name) => statIfThere(join(from, name))));
  const bytes = stats.reduce((sum, file) => sum + Number(file?.size ?? 0), 0);
  const free = freeBytes(folder);
  if (free > bytes + spareBytes) return;
  const inMebibytes = (count: number) => `${Math.ceil(count / 1024 ** 2)} MiB`;
  throw new Error(
    `A backup while the service runs needs ${inMebibytes(bytes + spareBytes)} beside the database, ` +
      `and ${inMebibytes(free)} are free. Make room, or stop the service for the backup.`,
  );
}

/** What a running process calls its clone: after it has ended, no other one does. */
export function cloneName(pid: number): string {
  const { startedAt = '' } = identifyProcess(pid);
  const start = createHash('sha256').update(startedAt).digest('hex').slice(0, 16);
  return `clone-${pid}-${start}`;
}

/** Removes what killed processes left in a data folder. */
export async function removeAbandonedClones(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, digits, start] = namePattern.exec(name) ?? [];
    const pid = Number(digits);
    if (!(pid > 0)) continue;
    const isUsed =
      pid !== process.pid && isRunning({ pid }) && (start === undefined || name === cloneName(pid));
    if (!isUsed) await rm(join(folder, name), { recursive: true, force: true });
  }
}

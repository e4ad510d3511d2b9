/**
 * One process at a time per data folder. The embedded database has no lock of its own, and two
 * processes on one folder silently lose rows.
 *
 * The lock is the file `lock-<n>.json` with the highest n. Taking over a stale lock means creating
 * number n + 1, which only one process can. The highest file is never removed, not even when the
 * lock is released: a process that judged it a moment ago could otherwise create its number again.
 */
import {
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { identifyProcess, isRunning } from './process-identity';

/** How often a holder shows that it lives, and after what silence another host may take over. */
const heartbeatMs = 2_000;
const silenceMs = 10_000;
const pollMs = 100;

const contentSchema = z.object({
  pid: z.number().int().positive(),
  startedAt: z.string().optional(),
  host: z.string(),
  released: z.boolean().optional(),
  service: z.object({ port: z.number().int(), password: z.string() }).optional(),
});
type Content = z.infer<typeof contentSchema>;

/** How to reach the database that the holder of a folder serves. */
export type ServedDatabase = { port: number; password: string };

export type FolderLock = {
  /** Writes down for `readServedDatabase` where the database is served. */
  publish(service: ServedDatabase): void;
  /** Once is enough; more often does no harm. */
  release(): void;
};

export class FolderLockedError extends Error {
  override name = 'FolderLockedError';
}

/**
 * Takes the folder for this process; the folder must exist. Throws a FolderLockedError that names
 * the process which has it. A lock whose process is gone is taken over: at once on this machine,
 * and after ten seconds of silence where another machine or container left it.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  for (;;) {
    const current = highestLock(folder);
    await waitUntilFree(folder, current);
    const mine = current + 1;
    const content: Content = { ...identifyProcess(process.pid), host: hostname() };
    if (createLock(folder, mine, content)) return holdLock(lockPath(folder, mine), content);
  }
}

/** How to reach the database of a folder that a live process of this machine has, if one does. */
export function readServedDatabase(folder: string): ServedDatabase | undefined {
  const lock = readLock(folder, highestLock(folder));
  return lock && isLocal(lock) && !lock.released && isRunning(lock) ? lock.service : undefined;
}

function holdLock(path: string, content: Content): FolderLock {
  const heartbeat = setInterval(() => touch(path), heartbeatMs);
  heartbeat.unref();
  let isHeld = true;
  const rewrite = (next: Content) => {
    const draft = writeDraft(path, next);
    renameSync(draft, path);
  };
  return {
    publish: (service) => rewrite({ ...content, service }),
    release: () => {
      if (isHeld) {
        isHeld = false;
        clearInterval(heartbeat);
        rewrite({ ...content, released: true });
      }
    },
  };
}

/** False when another process was first to create that number or a higher one. */
function createLock(folder: string, mine: number, content: Content): boolean {
  const path = lockPath(folder, mine);
  const draft = writeDraft(path, content);
  try {
    linkSync(draft, path);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  const numbers = lockNumbers(folder);
  if (numbers.some((number) => number > mine)) {
    rmSync(path, { force: true });
    return false;
  }
  for (const number of numbers.filter((candidate) => candidate < mine)) {
    rmSync(lockPath(folder, number), { force: true });
  }
  return true;
}

/** Resolves when nobody holds that lock; throws a FolderLockedError when somebody does. */
async function waitUntilFree(folder: string, number: number): Promise<void> {
  const firstSeenMs = lastTouchMs(folder, number);
  for (;;) {
    const lock = readLock(folder, number);
    if (!lock || lock.released) return;
    if (isLocal(lock)) {
      if (isRunning(lock)) throw lockedError(folder, lock);
      return;
    }
    const touchedMs = lastTouchMs(folder, number);
    if (touchedMs !== firstSeenMs) throw lockedError(folder, lock);
    if (touchedMs === undefined || Date.now() - touchedMs > silenceMs) return;
    await sleep(pollMs);
  }
}

function lockedError(folder: string, lock: Content): FolderLockedError {
  const isOwn = isLocal(lock) && lock.pid === process.pid;
  const place = isLocal(lock) ? '' : ` on host ${lock.host}`;
  const holder = isOwn ? `this process (${lock.pid})` : `process ${lock.pid}${place}`;
  return new FolderLockedError(
    `The data folder ${folder} is in use by ${holder}. Only one process at a time can use it: ` +
      'stop that one first, or choose another folder.',
  );
}

function isLocal(lock: Content): boolean {
  return lock.host === hostname();
}

function lockPath(folder: string, number: number): string {
  return join(folder, `lock-${number}.json`);
}

/** 0 where there is none. */
function highestLock(folder: string): number {
  return Math.max(0, ...lockNumbers(folder));
}

function lockNumbers(folder: string): number[] {
  const matches = namesIn(folder).map((name) => /^lock-([1-9]\d*)\.json$/.exec(name)?.[1]);
  return matches.filter((digits) => digits !== undefined).map(Number);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

/** Undefined where there is no such lock, or one that a crash of the machine left unreadable. */
function readLock(folder: string, number: number): Content | undefined {
  let text: string;
  try {
    text = readFileSync(lockPath(folder, number), 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  try {
    return contentSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Writes the lock's next content beside it, for an atomic link or rename. */
function writeDraft(path: string, content: Content): string {
  const draft = `${path}.${process.pid}.${crypto.randomUUID()}.draft`;
  writeFileSync(draft, `${JSON.stringify(content)}\n`, { mode: 0o600 });
  return draft;
}

function touch(path: string): void {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // A folder removed under a running process is not the heartbeat's to report.
  }
}

function lastTouchMs(folder: string, number: number): number | undefined {
  return statSync(lockPath(folder, number), { throwIfNoEntry: false })?.mtimeMs;
}

function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}

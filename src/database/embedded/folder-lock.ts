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
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { codeOf, messageOf } from '../../error-parts';
import { namesIn } from '../../file-system/data-folder';
import { identifyPlace, identifyProcess, isRunning } from './process-identity';

/** How often a holder shows that it lives, and after what silence it may be robbed from elsewhere. */
const heartbeatMs = 2_000;
const silenceMs = 10_000;
const pollMs = 100;

const serviceSchema = z.object({
  /** Versions that left it out knew no other. */
  host: z.string().default('127.0.0.1'),
  port: z.number().int(),
  password: z.string(),
});

const contentSchema = z.object({
  pid: z.number().int().positive(),
  startedAt: z.string().optional(),
  host: z.string(),
  namespace: z.string().optional(),
  released: z.boolean().optional(),
  service: serviceSchema.optional(),
});
type Content = z.infer<typeof contentSchema>;

/** How to reach the database that the holder of a folder serves. */
export type ServedDatabase = z.infer<typeof serviceSchema>;

export type FolderLock = {
  /** Writes down for `readServedDatabase` where the database is served. */
  publish(service: ServedDatabase): void;
  /** Once is enough; more often does no harm. */
  release(): void;
};

export class FolderLockedError extends Error {
  override name = 'FolderLockedError';
}

type Options = {
  /** Told that it waits, and for how long at most. */
  say?: (line: string) => void;
  /** Told once that another took the folder: this process stood still for too long (a pause). */
  onLost?: () => void;
  silenceMs?: number;
  heartbeatMs?: number;
};

/**
 * Takes the folder for this process; the folder must exist. Throws a FolderLockedError that names
 * the process which has it. A lock whose process is gone is taken over: at once where its number
 * tells (`Place`), and after ten seconds of silence where another machine or container left it.
 */
export async function lockFolder(folder: string, options: Options = {}): Promise<FolderLock> {
  for (;;) {
    const current = highestLock(folder);
    await waitUntilFree(folder, current, options);
    const mine = current + 1;
    const content: Content = { ...identifyProcess(process.pid), ...identifyPlace() };
    if (createLock(folder, mine, content)) return holdLock(folder, mine, content, options);
  }
}

/** How to reach the database of a folder that a live process of this place has, if one does. */
export function readServedDatabase(folder: string): ServedDatabase | undefined {
  const lock = readLock(folder, highestLock(folder));
  return lock && isLocal(lock) && !lock.released && isRunning(lock) ? lock.service : undefined;
}

function holdLock(
  folder: string,
  number: number,
  content: Content,
  { onLost, heartbeatMs: touchMs = heartbeatMs }: Options,
): FolderLock {
  const path = lockPath(folder, number);
  const heartbeat = setInterval(() => {
    touch(path);
    // Not by the file: whoever takes over removes it, and to publish makes it anew.
    if (!isTaken(folder, number)) return;
    clearInterval(heartbeat);
    onLost?.();
  }, touchMs);
  heartbeat.unref();
  let isHeld = true;
  const rewrite = (next: Content) => renameSync(writeDraft(path, next), path);
  return {
    publish: (service) => rewrite({ ...content, service }),
    release: () => {
      if (!isHeld) return;
      isHeld = false;
      clearInterval(heartbeat);
      try {
        rewrite({ ...content, released: true });
      } catch {
        // For want of room, maybe: an empty one holds nothing, and takes none.
        emptyLock(path);
      }
    },
  };
}

/** Whether another process has taken over. Where nobody can tell, as without a file left to open, not yet. */
function isTaken(folder: string, number: number): boolean {
  try {
    return highestLock(folder) > number;
  } catch {
    return false;
  }
}

/** False when another process was first to create that number or a higher one. */
function createLock(folder: string, mine: number, content: Content): boolean {
  const path = lockPath(folder, mine);
  const draft = writeDraft(path, content);
  try {
    linkSync(draft, path);
  } catch (error) {
    // Without a draft, whoever has removed it has that number or a higher one.
    if (['EEXIST', 'ENOENT'].includes(codeOf(error) ?? '')) return false;
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
  removeDrafts(folder, mine);
  return true;
}

/** What killed processes left: nobody gets a number up to one that is taken any more. */
function removeDrafts(folder: string, taken: number): void {
  for (const name of namesIn(folder)) {
    const number = /^lock-([1-9]\d*)\.json\..+\.draft$/.exec(name)?.[1];
    if (Number(number) <= taken) rmSync(join(folder, name), { force: true });
  }
}

/**
 * Resolves when nobody holds that lock; throws a FolderLockedError when somebody does. Of a holder
 * elsewhere the time of the file alone tells: that it changes, not what it is, for clocks differ. Our
 * looks are counted and not the time between them: we may have stood still, and the holder with us.
 */
async function waitUntilFree(
  folder: string,
  number: number,
  { say, silenceMs: patienceMs = silenceMs }: Options,
): Promise<void> {
  const firstSeenMs = lastTouchMs(folder, number);
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const lock = readLock(folder, number);
    if (!lock || lock.released) return;
    if (isLocal(lock)) {
      if (isRunning(lock)) throw lockedError(folder, lock);
      return;
    }
    if (lastTouchMs(folder, number) !== firstSeenMs) throw lockedError(folder, lock);
    if (waitedMs === 0) say?.(waitingLine(folder, lock, patienceMs));
    if (waitedMs >= patienceMs) return;
    await sleep(pollMs);
  }
}

function waitingLine(folder: string, lock: Content, patienceMs: number): string {
  return (
    `Process ${lock.pid}${placeOf(lock)} had the data folder ${folder} and has not said that it ` +
    `ended: waiting for ${patienceMs / 1000} s whether it gives a sign of life …`
  );
}

function lockedError(folder: string, lock: Content): FolderLockedError {
  const isOwn = isLocal(lock) && lock.pid === process.pid;
  const holder = isOwn ? `this process (${lock.pid})` : `process ${lock.pid}${placeOf(lock)}`;
  return new FolderLockedError(
    `The data folder ${folder} is in use by ${holder}. Only one process at a time can use it: ` +
      'stop that one first, or choose another folder.',
  );
}

function placeOf(lock: Content): string {
  if (isLocal(lock)) return '';
  const isNamesake = lock.host === identifyPlace().host;
  return isNamesake ? ` in another container or machine ${lock.host}` : ` on host ${lock.host}`;
}

function isLocal(lock: Content): boolean {
  const { host, namespace } = identifyPlace();
  return lock.host === host && lock.namespace === namespace;
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

/**
 * Undefined where there is no such lock, one that a crash of the machine left unreadable, or one that
 * was emptied as it was released.
 */
function readLock(folder: string, number: number): Content | undefined {
  const path = lockPath(folder, number);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined;
    // Of what can be opened, as a folder can, the system's own words do not name it.
    throw new Error(`${path} cannot be read: ${messageOf(cause)}`, { cause });
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
  try {
    writeFileSync(draft, `${JSON.stringify(content)}\n`, { mode: 0o600 });
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  return draft;
}

function emptyLock(path: string): void {
  try {
    truncateSync(path);
  } catch {
    // Whoever comes next finds out that this process has ended.
  }
}

function touch(path: string): void {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // It may be gone, or its disk for a while.
  }
}

function lastTouchMs(folder: string, number: number): number | undefined {
  return statSync(lockPath(folder, number), { throwIfNoEntry: false })?.mtimeMs;
}

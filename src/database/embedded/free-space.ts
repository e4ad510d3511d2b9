import { statfsSync } from 'node:fs';
import { log } from '../../logging/log';

const mebibyte = 1024 ** 2;

/** What the write-ahead log grows by. */
const logSegmentBytes = 16 * mebibyte;

/** With less, the database may stop in the middle of a write. */
export const neededBytes = 2 * logSegmentBytes;

/** Below this there is time to make room. */
export const warnBytes = 512 * mebibyte;

const checkEveryMs = 10_000;

type ReadFreeBytes = (folder: string) => number;

/** How many bytes the disk that holds the folder has left for this process. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Whether the disk has too little left for the database to go on writing; false where none can tell. */
export function isFull(folder: string, read: ReadFreeBytes = freeBytes): boolean {
  try {
    return read(folder) < logSegmentBytes;
  } catch {
    return false;
  }
}

/** @throws Error where there is too little room for the folder to open a database in it */
export function requireFreeSpace(folder: string, read: ReadFreeBytes = freeBytes): void {
  const bytes = read(folder);
  if (bytes >= neededBytes) return;
  throw new Error(
    `The disk of ${folder} is full: ${describe(bytes)} are left, and the embedded database ` +
      `needs ${describe(neededBytes)}. Make room, then start again.`,
  );
}

/**
 * Warns when little room is left for the folder, now or later, and says when there is enough again.
 * Returns what stops this.
 */
export function watchFreeSpace(folder: string, read: ReadFreeBytes = freeBytes): () => void {
  let isLow = false;
  const check = () => {
    const left = read(folder);
    if (left < warnBytes === isLow) return;
    isLow = !isLow;
    const facts = { folder, freeBytes: left };
    if (isLow) log().warn(facts, 'little room is left for the embedded database');
    else log().info(facts, 'there is room again for the embedded database');
  };
  check();
  const timer = setInterval(() => {
    try {
      check();
    } catch (error) {
      log().warn({ err: error, folder }, 'free space of the embedded database is unknown');
    }
  }, checkEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}

function describe(bytes: number): string {
  return `${Math.floor(bytes / mebibyte)} MiB`;
}

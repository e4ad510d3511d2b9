import { statfsSync } from 'node:fs';
import { log } from '../../log';

const mebibyte = 1024 ** 2;

/** Two segments of the write-ahead log: with less, the database may stop in the middle of a write. */
const neededBytes = 32 * mebibyte;

/** Below this there is time to make room. */
const warnBytes = 512 * mebibyte;

const checkEveryMs = 10_000;

/** How many bytes the disk that holds the folder has left for this process. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/**
 * Warns when little room is left for the folder, and says when there is enough again. Returns what
 * stops this.
 * @throws Error where there is too little now to open a database in it
 */
export function watchFreeSpace(folder: string, read: (folder: string) => number = freeBytes) {
  const bytes = read(folder);
  if (bytes < neededBytes) {
    throw new Error(
      `The disk of ${folder} is full: ${describe(bytes)} are left, and the embedded database ` +
        `needs ${describe(neededBytes)}. Make room, then start again.`,
    );
  }
  let isLow = false;
  const check = (left: number) => {
    if (left < warnBytes !== isLow) {
      isLow = !isLow;
      const message = 'little room is left for the embedded database: without, it stops';
      if (isLow) log().warn({ folder, freeBytes: left }, message);
      else log().info({ folder, freeBytes: left }, 'there is room again for the embedded database');
    }
  };
  check(bytes);
  const timer = setInterval(() => {
    try {
      check(read(folder));
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

import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endingWith } from '../ending';

/** The names of temporary folders say whose they are: what a killed process left can be told. */
export const temporaryFolderPrefix = `testimonials-${process.pid}-`;

const ourFolder = /^testimonials-\d+-/;

/** Longer than any task may take. By age and not by process: a folder may be shared by containers. */
const abandonedAfterMs = 24 * 60 * 60 * 1000;

/** Gives the task a folder of its own, which is gone with all it holds when the task has ended. */
export async function withTemporaryFolder<T>(task: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), temporaryFolderPrefix));
  return endingWith(
    () => rm(folder, { recursive: true, force: true }),
    () => task(folder),
  );
}

/** Removes the folders that killed processes left more than a day ago. `nowMs` as `Date.now()`. */
export async function removeAbandonedFolders(nowMs: number): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!ourFolder.test(name)) continue;
    const path = join(tmpdir(), name);
    // Another process may remove it at the same time, or it may be somebody else's.
    const folder = await stat(path).catch(() => undefined);
    if (!folder || nowMs - folder.mtimeMs < abandonedAfterMs) continue;
    await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

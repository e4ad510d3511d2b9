import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The names of temporary folders say whose they are: what a killed process left can be told. */
export const temporaryFolderPrefix = `testimonials-${process.pid}-`;

/** Gives the task a folder of its own, which is gone with all it holds when the task has ended. */
export async function withTemporaryFolder<T>(task: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), temporaryFolderPrefix));
  try {
    return await task(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

import { open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Has the disk take a file that was written, and that its folder has it, so that both outlast a power cut. */
export async function flush(path: string): Promise<void> {
  await sync(path);
  await flushFolder(dirname(path));
}

/** Has the disk take the names that a folder has by now. Not every file system can do that. */
export async function flushFolder(folder: string): Promise<void> {
  await sync(folder).catch(() => {});
}

async function sync(path: string): Promise<void> {
  const file = await open(path);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

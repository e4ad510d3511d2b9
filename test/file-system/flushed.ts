import { type FileHandle, open } from 'node:fs/promises';

/** What the disk was told to take while `task` ran, in order: a folder, or a file by its size. */
export async function whatIsFlushed(task: () => Promise<void>): Promise<(number | 'folder')[]> {
  const any = await open(__filename);
  const sync = jest.spyOn(Object.getPrototypeOf(any), 'sync');
  const flushed: (number | 'folder')[] = [];
  sync.mockImplementation(async function (this: FileHandle) {
    const found = await this.stat();
    flushed.push(found.isDirectory() ? 'folder' : found.size);
  });
  try {
    await task();
  } finally {
    sync.mockRestore();
    await any.close();
  }
  return flushed;
}

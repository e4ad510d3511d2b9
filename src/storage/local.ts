import { copyFile, type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Files in a folder beside the embedded database. */
export function localStorage(dataFolder: string) {
  return {
    async put(key: string, path: string): Promise<void> {
      const target = localPath(dataFolder, key);
      await mkdir(dirname(target), { recursive: true });
      // Under another name until it is whole: a reader never sees half a file.
      const incoming = `${target}.incoming`;
      try {
        await copyFile(path, incoming);
        await rename(incoming, target);
      } catch (error) {
        await rm(incoming, { force: true });
        throw error;
      }
    },
    async remove(key: string): Promise<void> {
      await rm(localPath(dataFolder, key), { force: true });
    },
  };
}

/** Opens a stored file for reading; undefined where there is none. The caller closes it. */
export async function openLocal(
  dataFolder: string,
  key: string,
): Promise<{ file: FileHandle; sizeBytes: number; modifiedAt: Date } | undefined> {
  let file: FileHandle;
  try {
    file = await open(localPath(dataFolder, key));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  const { size, mtime } = await file.stat();
  return { file, sizeBytes: size, modifiedAt: mtime };
}

function isMissing(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
}

function localPath(dataFolder: string, key: string): string {
  return join(dataFolder, 'files', key);
}

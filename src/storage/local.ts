import { copyFile, mkdir, open, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../error-parts';
import { flush } from '../file-system/flush';
import { incomingPath, writeWhole } from './whole-file';

/** Files in a folder beside the embedded database. */
export function localStorage(dataFolder: string) {
  return {
    async put(key: string, path: string): Promise<void> {
      const destination = localPath(dataFolder, key);
      await mkdir(dirname(destination), { recursive: true });
      await writeWhole(destination, (incoming) => copyFile(path, incoming));
      // Rows with its address are as safe as their database is.
      await flush(destination);
    },
    async get(key: string, path: string): Promise<boolean> {
      try {
        await copyFile(localPath(dataFolder, key), path);
        return true;
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return false;
        throw error;
      }
    },
    async remove(key: string): Promise<void> {
      const path = localPath(dataFolder, key);
      // What a process leaves that is killed as it copies is known by the key alone. Of one that moves
      // files it is a folder.
      await rm(incomingPath(path), { recursive: true, force: true });
      await rm(path, { force: true });
    },
  };
}

/** Size and age of a stored file; undefined where there is none. */
export async function describeLocal(
  dataFolder: string,
  key: string,
): Promise<{ sizeBytes: number; modifiedAt: Date } | undefined> {
  try {
    const { size, mtime } = await stat(localPath(dataFolder, key));
    return { sizeBytes: size, modifiedAt: mtime };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Up to `bytes` bytes of a stored file from `position` on; none at its end. Opens the file and
 * closes it again, so that nobody can hold one open.
 */
export async function readLocal(
  dataFolder: string,
  key: string,
  { position, bytes }: { position: number; bytes: number },
): Promise<Uint8Array> {
  const file = await open(localPath(dataFolder, key));
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(bytes), 0, bytes, position);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Where the file lies that has the key. */
export function localPath(dataFolder: string, key: string): string {
  // The bundler would take whatever of the project is so named for a part of every function.
  return join(/* turbopackIgnore: true */ dataFolder, 'files', key);
}

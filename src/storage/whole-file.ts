import { rename, rm } from 'node:fs/promises';

/** Where a file lies until it is whole. What a process leaves there that is killed is known by it. */
export function incomingPath(path: string): string {
  return `${path}.incoming`;
}

/**
 * Has `write` fill a file beside `path`, which stands there once it is whole: a reader never sees half
 * of one. Where it fails, nothing of it is left.
 * @throws what `write` throws
 */
export async function writeWhole(
  path: string,
  write: (incoming: string) => Promise<void>,
): Promise<void> {
  const incoming = incomingPath(path);
  try {
    await write(incoming);
    await rename(incoming, path);
  } catch (error) {
    await rm(incoming, { force: true });
    throw error;
  }
}

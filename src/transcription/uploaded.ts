import { open, stat } from 'node:fs/promises';
import { containerProbeBytes } from '../storage/container';
import { isForbidden } from '../storage/s3';
import { storage } from '../storage/storage';
import { findStoredFile } from '../storage/stored-files';
import { containerOf, type DownloadedMedia } from './download';

/** The video of a testimonial. */
export type Video = { accountId: string; url: string };

/**
 * Copies a video that its account has uploaded to `path`, out of the storage and not from its address:
 * that may be one of a private network, which no link may lead to, or not be reached from within.
 * Undefined of every other video, and where the storage does not have the file or lets nobody but
 * browsers read it: what its address serves counts then.
 * @throws NotTranscribed where it is no media file; an Error where the storage fails
 */
export async function copyUploaded(
  { accountId, url }: Video,
  path: string,
  signal: AbortSignal,
): Promise<DownloadedMedia | undefined> {
  const file = await findStoredFile(accountId, url);
  if (!file) return undefined;
  try {
    if (!(await storage().get(file.key, path, file.bytes, signal))) return undefined;
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
  return { path, sizeBytes: (await stat(path)).size, container: containerOf(await startOf(path)) };
}

async function startOf(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(containerProbeBytes));
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

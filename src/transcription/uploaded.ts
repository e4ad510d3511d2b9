import { stat } from 'node:fs/promises';
import { videoExtensions } from '../storage/file-type';
import { isForbidden } from '../storage/s3';
import { storage } from '../storage/storage';
import { findStoredFile } from '../storage/stored-files';
import type { DownloadedMedia } from './download';
import { NotTranscribed } from './not-transcribed';

/** The video of a testimonial. */
export type Video = { accountId: string; url: string };

/**
 * Copies a video that its account has uploaded to `path`, out of the storage and not from its address:
 * that may be one of a private network, which no link may lead to, or not be reached from within.
 * Undefined of every other video, and where the storage does not have the file or lets nobody but
 * browsers read it: what its address serves counts then.
 * @throws NotTranscribed where it is no video; an Error where the storage fails
 */
export async function copyUploaded(
  { accountId, url }: Video,
  path: string,
  signal: AbortSignal,
): Promise<DownloadedMedia | undefined> {
  const file = await findStoredFile(accountId, url);
  if (!file) return undefined;
  // What it is was seen in its first bytes when it was uploaded, and stands in its key.
  const container = videoExtensions.find((extension) => file.key.endsWith(`.${extension}`));
  if (!container) throw new NotTranscribed('the file that was uploaded is no video');
  try {
    if (!(await storage().get(file.key, path, file.bytes, signal))) return undefined;
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
  return { path, sizeBytes: (await stat(path)).size, container };
}

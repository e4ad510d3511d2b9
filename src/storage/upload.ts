import { join } from 'node:path';
import { ApiError } from '../api/errors';
import { requireRoom } from '../api/quota';
import { createFairPlaces, runInPlace } from '../fair-places';
import { withTemporaryFolder } from '../file-system/temporary-folder';
import { log } from '../logging/log';
import { singleton } from '../singleton';
import {
  contentTypes,
  detectExtension,
  type Extension,
  type FileKind,
  uploadRules,
} from './file-type';
import { makeKey } from './key';
import { bytesOnDisk, minUploadBytesPerSecond } from './limits';
import { receiveFile } from './receive-file';
import { publicBase, storage } from './storage';
import { keepStored, noteStoredFile, removeNotStored } from './stored-files';
import { atMinimumRate } from './transfer-rate';

export type StoredFile = { url: string; content_type: string; size_bytes: number };

export const uploadLimits = {
  /** In a process, each with its file on the disk until it is stored. */
  uploadsAtOnce: 4,
  /** Uploads of one account that wait for a place, and for how long each. */
  waitingPerAccount: 8,
  placeTimeoutMs: 30_000,
  rate: { bytesPerSecond: minUploadBytesPerSecond, windowMs: 10_000 },
};

/**
 * Stores an uploaded file of the account and returns its address. What it is follows from its first
 * bytes; its name and declared type do not matter.
 * @throws ApiError PAYLOAD_TOO_LARGE, VALIDATION_ERROR, RATE_LIMIT_EXCEEDED (too many at once),
 * QUOTA_EXCEEDED, with a message for the person who uploads; UNAUTHORIZED where the account is deleted
 * meanwhile
 */
export async function storeUpload(
  accountId: string,
  kind: FileKind,
  body: AsyncIterable<Uint8Array>,
): Promise<StoredFile> {
  const rules = { waitMs: uploadLimits.placeTimeoutMs, refused };
  return runInPlace(places(), accountId, rules, () => receiveAndStore(accountId, kind, body));
}

const places = () =>
  singleton('upload-places', () =>
    createFairPlaces({
      total: uploadLimits.uploadsAtOnce,
      waitingPerKey: uploadLimits.waitingPerAccount,
      sparing: true,
    }),
  );

const refused = () =>
  new ApiError('RATE_LIMIT_EXCEEDED', {
    message: 'Too many files are being uploaded. Try again in a moment.',
  });

async function receiveAndStore(
  accountId: string,
  kind: FileKind,
  body: AsyncIterable<Uint8Array>,
): Promise<StoredFile> {
  return withTemporaryFolder(async (folder) => {
    const path = join(/* turbopackIgnore: true */ folder, 'file');
    const { type: extension, sizeBytes } = await receive(kind, body, path);
    const bytes = bytesOnDisk(sizeBytes);
    await requireRoom({ accountId }, { addedBytes: bytes });
    const key = makeKey(kind, accountId, extension);
    const contentType = contentTypes[extension];
    await noteStoredFile({ accountId, key, bytes });
    try {
      await storage().put(key, path, contentType);
    } catch (error) {
      // Its removal is queued already: that it is not brought forward costs ten minutes, and is not why.
      await removeNotStored({ accountId, key }).catch((ofRemoval: unknown) => {
        log().warn({ err: ofRemoval, key }, 'file that was not stored is removed later');
      });
      throw error;
    }
    if (!(await keepStored({ accountId, key }))) throw new ApiError('UNAUTHORIZED');
    return { url: publicBase() + key, content_type: contentType, size_bytes: sizeBytes };
  });
}

/** Writes the body to `path`, and stops as soon as it is too large, too slow or of a wrong type. */
function receive(
  kind: FileKind,
  body: AsyncIterable<Uint8Array>,
  path: string,
): Promise<{ type: Extension; sizeBytes: number }> {
  const { maxBytes } = uploadRules[kind];
  const message = `The file is larger than ${maxBytes / 1024 / 1024} MB.`;
  const tooSlow = () => new ApiError('VALIDATION_ERROR', { message: 'The upload is too slow.' });
  return receiveFile(atMinimumRate(arriving(body), uploadLimits.rate, tooSlow), path, {
    maxBytes,
    tooLarge: () => new ApiError('PAYLOAD_TOO_LARGE', { message }),
    typeOf: (start) => allowedExtension(kind, start),
  });
}

/** A person who closes the page is no failure of ours, and none to log as one. */
async function* arriving(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    throw new ApiError('VALIDATION_ERROR', { message: 'The upload broke off.', cause });
  }
}

function allowedExtension(kind: FileKind, start: Uint8Array): Extension {
  const { extensions } = uploadRules[kind];
  const extension = detectExtension(start);
  if (extension && extensions.includes(extension)) return extension;
  const message = `The file is none of the types that may be uploaded as ${kind}: ${extensions.join(', ')}.`;
  throw new ApiError('VALIDATION_ERROR', { message });
}

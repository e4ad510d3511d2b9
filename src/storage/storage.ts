import { env } from '../env';
import { localStorage } from './local';
import { type S3Settings, s3Storage } from './s3';

/** Where uploaded files are kept. Keys are of the form that `key.ts` makes. */
type Storage = {
  /** Stores the file at `path` under the key. When this returns, it is stored. */
  put(key: string, path: string, contentType: string): Promise<void>;
  /**
   * Writes the file to `path`, which is there once it is whole. `notedBytes` as it was noted when it
   * was stored. False where there is none.
   */
  get(key: string, path: string, notedBytes: number, signal: AbortSignal): Promise<boolean>;
  /** Removes the file; one that is not there counts as removed. */
  remove(key: string, signal: AbortSignal): Promise<void>;
};

/** The bucket where one is configured, else the data folder. */
export function storage(): Storage {
  const s3 = s3Settings();
  return s3 ? s3Storage(s3) : localStorage(env().DATA_FOLDER);
}

/** Whether this service serves the files itself. */
export function isLocal(): boolean {
  return s3Settings() === undefined;
}

/** What stands before the key in the address of a file: ends in a slash. */
export function publicBase(): string {
  const { STORAGE_PUBLIC_URL } = env();
  const s3 = s3Settings();
  const base = STORAGE_PUBLIC_URL ?? (s3 ? `${withoutSlash(s3.endpoint)}/${s3.bucket}` : undefined);
  return base === undefined ? localBase() : `${withoutSlash(base)}/`;
}

/** What it is without a bucket, and without an address that is set for one. */
export function localBase(): string {
  const { PUBLIC_URL, PORT } = env();
  return `${withoutSlash(PUBLIC_URL ?? `http://localhost:${PORT}`)}/files/`;
}

/** The bucket, also where files are to be moved away from it. @throws Error where none is configured */
export function configuredBucket() {
  const s3 = s3Settings();
  if (s3) return s3Storage(s3);
  throw new Error('No bucket is configured: set S3_ENDPOINT and what belongs to it.');
}

function s3Settings(): S3Settings | undefined {
  const {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = env();
  if (!endpoint || !bucket || !accessKeyId || !secretAccessKey) return undefined;
  return { endpoint: withoutSlash(endpoint), bucket, region, accessKeyId, secretAccessKey };
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

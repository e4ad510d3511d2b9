import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isNativeError } from 'node:util/types';
import { AwsClient } from 'aws4fetch';
import { readRetryAfter, waitMs } from '../background/backoff';
import { withSignal } from '../background/with-signal';
import { chunksOf } from '../outbound/answer-chunks';
import { readStart } from '../outbound/answer-start';
import { withFileBody } from '../outbound/file-body';
import { bytesOnDisk } from './limits';
import { writeWhole } from './whole-file';

export type S3Settings = {
  /** Without a slash at the end. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
};

export const s3Limits = {
  /** How long storing or reading one file may take, with all tries. Removing is bounded by the caller. */
  transferTimeoutMs: 300_000,
  /** Pauses before the tries after the first; a Retry-After header may double them. */
  retryPausesMs: [500, 1_000, 2_000],
  /** Of an error answer, whose code stands at its beginning. */
  refusal: { maxBytes: 16 * 1024, maxMs: 2_000 },
};

/** How much of an error answer goes into the log. */
const maxReasonCharacters = 300;

/** Of a service that is busy or being restarted. */
const passingStatuses = [408, 429, 500, 502, 503, 504];

/**
 * A bucket of any service that speaks S3, addressed by path, which all of them know. An answer counts
 * from its head on: of what it says no more is read than is of use.
 * Its methods throw an Error with the service's answer where it refuses.
 */
export function s3Storage(settings: S3Settings) {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = settings;
  // Its own tries would send a body again that is read already.
  const client = new AwsClient({ service: 's3', region, accessKeyId, secretAccessKey, retries: 0 });
  // The signal goes to `fetch` itself: where the signed request has it, what would hand it on is held by
  // nobody, and Node 20 collects it as garbage. Then nothing ends a transfer any more.
  const send = async (
    key: string,
    { signal, ...request }: RequestInit & { signal: AbortSignal },
  ) => {
    // A redirect is a refusal: what stands at its end may answer 200 to anything, a page to sign in at.
    const signed = { ...request, redirect: 'manual' as const };
    return fetch(await client.sign(`${endpoint}/${bucket}/${key}`, signed), { signal });
  };
  return {
    async put(key: string, path: string, contentType: string): Promise<void> {
      await transfer((signal) =>
        withFileBody(path, async ({ headers, ...file }) => {
          const response = await send(key, {
            method: 'PUT',
            headers: { 'content-type': contentType, ...headers },
            ...file,
            signal,
          });
          if (!response.ok) throw await refusalOf(response);
          await leave(response);
        }),
      );
    },
    /**
     * Writes the file to `path`, which is there once it is whole and of the size that was noted as it
     * was uploaded, exactly or in blocks of a disk. False where there is none.
     */
    async get(
      key: string,
      path: string,
      notedBytes: number,
      signal?: AbortSignal,
    ): Promise<boolean> {
      return transfer(async (signal) => {
        const response = await send(key, { signal });
        // Nothing but 200 is the whole file.
        if (response.status !== 200 || !response.body) {
          const refusal = await refusalOf(response);
          if (refusal.isNoSuchKey) return false;
          throw refusal;
        }
        const chunks = ofSize(chunksOf(response.body, signal), { key, notedBytes });
        // The signal ends what comes, and says why. A pipeline fails before its file is open, which
        // then was left behind.
        await writeWhole(path, (incoming) => writeFile(incoming, chunks));
        return true;
      }, signal);
    },
    /** One try: what fails is tried again by the queue of removals. */
    async remove(key: string, signal: AbortSignal): Promise<void> {
      const response = await send(key, { method: 'DELETE', signal });
      if (response.ok) return leave(response);
      const refusal = await refusalOf(response);
      // Most services answer 204 for a file that is not there; some say so.
      if (!refusal.isNoSuchKey) throw refusal;
    },
  };
}

/** Has `attempt` made again, within the time for all, where what it fails by may pass in a moment. */
function transfer<T>(attempt: (signal: AbortSignal) => Promise<T>, stop?: AbortSignal): Promise<T> {
  return withSignal({ stop, timeoutMs: s3Limits.transferTimeoutMs }, async (signal) => {
    for (const pauseMs of s3Limits.retryPausesMs) {
      try {
        return await attempt(signal);
      } catch (error) {
        if (signal.aborted || !mayPass(error)) throw error;
        const retryAfter = error instanceof StorageRefusal ? error.retryAfter : undefined;
        const askedMs = readRetryAfter(retryAfter, new Date());
        // Over before the next try, it has failed by this one.
        await sleep(waitMs(pauseMs, askedMs, Math.random), undefined, { signal }).catch(() => {
          throw error;
        });
      }
    }
    return attempt(signal);
  });
}

/** What `fetch` throws where the network fails is a TypeError; a full disk is none. */
function mayPass(error: unknown): boolean {
  if (error instanceof StorageRefusal) return passingStatuses.includes(error.status);
  return isNativeError(error) && error.name === 'TypeError';
}

class StorageRefusal extends Error {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** There is no such file; a missing bucket is told apart from that. */
  readonly isNoSuchKey: boolean;

  constructor({ status, headers }: Response, text: string) {
    super(`The storage answered ${status}: ${text.slice(0, maxReasonCharacters)}`);
    this.status = status;
    this.retryAfter = headers.get('retry-after') ?? undefined;
    this.isNoSuchKey = status === 404 && text.includes('<Code>NoSuchKey</Code>');
  }
}

/** Whether the storage refuses this to its key, which may be allowed to write and remove alone. */
export function isForbidden(error: unknown): boolean {
  return error instanceof StorageRefusal && error.status === 403;
}

async function refusalOf(response: Response): Promise<StorageRefusal> {
  const nothing = { text: '' };
  const { text } = await readStart(response, s3Limits.refusal).catch(() => nothing);
  return new StorageRefusal(response, text);
}

/** What still comes of an answer that has said enough is not waited for. */
async function leave(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => {});
}

/** @throws Error where the file is another than the one that was noted, as soon as that is seen */
async function* ofSize(
  body: AsyncIterable<Uint8Array>,
  { key, notedBytes }: { key: string; notedBytes: number },
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > notedBytes) break;
    yield chunk;
  }
  if (bytes === notedBytes || bytesOnDisk(bytes) === notedBytes) return;
  throw new Error(`The storage has a file of another size than was uploaded under ${key}.`);
}

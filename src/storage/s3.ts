import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { AwsClient } from 'aws4fetch';
import { withFileBody } from '../outbound/file-body';
import { writeWhole } from './whole-file';

export type S3Settings = {
  /** Without a slash at the end. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
};

/** How long storing or reading one file may take. Removing is bounded by the caller. */
const transferTimeoutMs = 300_000;

/** How much of an error answer goes into the log: the code stands at its beginning. */
const maxReasonCharacters = 300;

/**
 * A bucket of any service that speaks S3, addressed by path, which all of them know.
 * Its methods throw an Error with the service's answer where it refuses.
 */
export function s3Storage(settings: S3Settings) {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = settings;
  // Retrying is for the callers, who know their deadline.
  const client = new AwsClient({ service: 's3', region, accessKeyId, secretAccessKey, retries: 0 });
  // A redirect is a refusal: what stands at its end may answer 200 to anything, a page to sign in at.
  const send = (key: string, request: RequestInit) =>
    client.fetch(`${endpoint}/${bucket}/${key}`, { ...request, redirect: 'manual' });
  return {
    async put(key: string, path: string, contentType: string): Promise<void> {
      await withFileBody(path, async ({ headers, ...file }) => {
        const response = await send(key, {
          method: 'PUT',
          headers: { 'content-type': contentType, ...headers },
          ...file,
          signal: AbortSignal.timeout(transferTimeoutMs),
        });
        await expectSuccess(response);
      });
    },
    /** Writes the file to `path`, which is there once it is whole. False where there is none. */
    async get(key: string, path: string): Promise<boolean> {
      const signal = AbortSignal.timeout(transferTimeoutMs);
      const response = await send(key, { signal });
      if (response.status === 404) {
        await expectSuccess(response);
        return false;
      }
      const { ok, body } = response;
      if (!ok || !body) throw refusal(response, await response.text());
      await writeWhole(path, (incoming) => pipeline(body, createWriteStream(incoming), { signal }));
      return true;
    },
    async remove(key: string, signal: AbortSignal): Promise<void> {
      await expectSuccess(await send(key, { method: 'DELETE', signal }));
    },
  };
}

async function expectSuccess(response: Response): Promise<void> {
  const text = await response.text();
  // Most services answer 204 for a file that is not there; some say so.
  if (response.ok || text.includes('<Code>NoSuchKey</Code>')) return;
  throw refusal(response, text);
}

function refusal({ status }: Response, text: string): Error {
  return new Error(`The storage answered ${status}: ${text.slice(0, maxReasonCharacters)}`);
}

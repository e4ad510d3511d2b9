import { openAsBlob } from 'node:fs';
import { AwsClient } from 'aws4fetch';

export type S3Settings = {
  /** Without a slash at the end. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
};

/** How long storing one file may take. Removing is bounded by the caller. */
const putTimeoutMs = 300_000;

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
  const address = (key: string) => `${endpoint}/${bucket}/${key}`;
  return {
    async put(key: string, path: string, contentType: string): Promise<void> {
      const response = await client.fetch(address(key), {
        method: 'PUT',
        headers: { 'content-type': contentType },
        body: await openAsBlob(path),
        signal: AbortSignal.timeout(putTimeoutMs),
      });
      await expectSuccess(response);
    },
    async remove(key: string, signal: AbortSignal): Promise<void> {
      await expectSuccess(await client.fetch(address(key), { method: 'DELETE', signal }));
    },
  };
}

async function expectSuccess(response: Response): Promise<void> {
  const text = await response.text();
  // Most services answer 204 for a file that is not there; some say so.
  if (response.ok || text.includes('<Code>NoSuchKey</Code>')) return;
  throw new Error(`The storage answered ${response.status}: ${text.slice(0, maxReasonCharacters)}`);
}

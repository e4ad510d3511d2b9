import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { provideEnv } from '@/src/env';
import { s3Limits } from '@/src/storage/s3';
import { serve } from '../outbound/servers';
import { publicUrl } from './files';

/**
 * A bucket in memory that answers as services that speak S3 do, and is the configured storage. Nobody
 * pauses before trying it again.
 */
export async function openBucket() {
  jest.replaceProperty(s3Limits, 'retryPausesMs', [0, 0, 0]);
  const bucket = {
    name: 'files',
    objects: new Map<string, { bytes: Buffer; contentType: string | undefined }>(),
    requests: [] as string[],
    /** A file that is sent is not there before. */
    arrival: Promise.resolve(),
    /** Set to answer in its place. */
    instead: undefined as ((response: ServerResponse) => void) | undefined,
    settings: {} as Record<string, string>,
  };
  const server = createServer(async (request, response) => {
    const bytes = await buffer(request);
    bucket.requests.push(`${request.method} ${request.url}`);
    if (bucket.instead) return bucket.instead(response);
    if (!isSigned(request)) return refuse(response, 403, 'SignatureDoesNotMatch');
    const [, name, ...rest] = (request.url ?? '').split('/');
    const key = rest.join('/');
    if (name !== bucket.name) return refuse(response, 404, 'NoSuchBucket');
    if (request.method === 'PUT') {
      // S3 takes no body of unknown length.
      if (!request.headers['content-length']) return refuse(response, 411, 'MissingContentLength');
      await bucket.arrival;
      bucket.objects.set(key, { bytes, contentType: request.headers['content-type'] });
      return response.writeHead(200).end();
    }
    if (request.method === 'GET') {
      const stored = bucket.objects.get(key);
      return stored ? response.end(stored.bytes) : refuse(response, 404, 'NoSuchKey');
    }
    bucket.objects.delete(key);
    return response.writeHead(204).end();
  });
  bucket.settings = {
    S3_ENDPOINT: `http://127.0.0.1:${await serve(server)}`,
    S3_BUCKET: bucket.name,
    S3_REGION: 'eu-central-1',
    S3_ACCESS_KEY_ID: 'access-key',
    S3_SECRET_ACCESS_KEY: 'secret-key',
    STORAGE_PUBLIC_URL: `${publicUrl}/bucket`,
  };
  provideEnv(bucket.settings);
  return bucket;
}

/** Calculates the signature anew. AWS Signature Version 4. */
function isSigned({ method = '', url = '', headers }: IncomingMessage): boolean {
  const form =
    /^AWS4-HMAC-SHA256 Credential=(access-key)\/(\d{8})\/(eu-central-1)\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/;
  const [, , day = '', region = '', names = '', signature] =
    form.exec(headers.authorization ?? '') ?? [];
  const canonical = [
    method,
    url,
    '',
    ...names.split(';').map((name) => `${name}:${headers[name]}`),
    '',
    names,
    headers['x-amz-content-sha256'],
  ].join('\n');
  const text = [
    'AWS4-HMAC-SHA256',
    headers['x-amz-date'],
    `${day}/${region}/s3/aws4_request`,
    createHash('sha256').update(canonical).digest('hex'),
  ].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce(
    (key, part) => createHmac('sha256', key).update(part).digest(),
    Buffer.from('AWS4secret-key'),
  );
  return createHmac('sha256', key).update(text).digest('hex') === signature;
}

export function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
}

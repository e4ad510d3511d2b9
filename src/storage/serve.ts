import { env } from '../env';
import { contentTypeOf, isKey } from './key';
import { describeLocal, readLocal } from './local';
import { isLocal } from './storage';

/** What the paths of stored files begin with. */
export const filesPath = '/files/';

const chunkBytes = 256 * 1024;

/**
 * Serves one uploaded file from the data folder, whole or a range of it (RFC 9110, section 14).
 * The headers make sure that a browser takes it for what its first bytes said and runs nothing in
 * it. 404 for every path that is not a key, also where files are kept in a bucket; 405 for methods
 * that do not read.
 */
export async function serveFile(request: Request): Promise<Response> {
  if (!['GET', 'HEAD'].includes(request.method)) return notRead(request.method);
  // Not decoded: a key has no character that needs it.
  const key = new URL(request.url).pathname.slice(filesPath.length);
  if (!isLocal() || !isKey(key)) return notFound();
  const stored = await describeLocal(env().DATA_FOLDER, key);
  if (!stored) return notFound();
  const { sizeBytes, modifiedAt } = stored;
  // A file never changes under its key.
  const etag = `"${key.slice(key.lastIndexOf('/') + 1)}"`;
  const headers = {
    ...safeHeaders,
    'Content-Type': contentTypeOf(key),
    'Accept-Ranges': 'bytes',
    'Last-Modified': modifiedAt.toUTCString(),
    ETag: etag,
  };
  const known = request.headers.get('if-none-match');
  if (known === '*' || known?.includes(etag)) {
    return new Response(null, { status: 304, headers });
  }
  const range = request.method === 'GET' && readRange(request.headers, etag, sizeBytes);
  if (range === 'unsatisfiable') {
    const contentRange = { 'Content-Range': `bytes */${sizeBytes}` };
    return new Response(null, { status: 416, headers: { ...headers, ...contentRange } });
  }
  const { start, end } = range || { start: 0, end: sizeBytes };
  const answer = {
    status: range ? 206 : 200,
    headers: {
      ...headers,
      'Content-Length': String(end - start),
      ...(range && { 'Content-Range': `bytes ${start}-${end - 1}/${sizeBytes}` }),
    },
  };
  if (request.method === 'HEAD') return new Response(null, answer);
  return new Response(streamRange(key, start, end), answer);
}

const safeHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Disposition': 'inline',
  'Content-Security-Policy': "default-src 'none'; media-src 'self'; sandbox",
  // Widgets on other sites show these files.
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cache-Control': 'public, max-age=86400',
};

/** OPTIONS is answered what others are refused with (RFC 9110, section 9.3.7). */
function notRead(method: string): Response {
  const headers = { Allow: 'GET, HEAD, OPTIONS' };
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers });
  return plain('Method not allowed', 405, headers);
}

function notFound(): Response {
  return plain('Not found', 404);
}

function plain(text: string, status: number, headers?: Record<string, string>): Response {
  return new Response(text, {
    status,
    headers: {
      ...headers,
      'Content-Type': 'text/plain; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}

/**
 * The bytes from `start` up to `end` that a Range header asks for. Undefined for no header, for one
 * of several ranges and for what cannot be read, all of which are answered with the whole file.
 */
function readRange(
  headers: Headers,
  etag: string,
  sizeBytes: number,
): { start: number; end: number } | 'unsatisfiable' | undefined {
  const condition = headers.get('if-range');
  if (condition !== null && condition !== etag) return undefined;
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(headers.get('range') ?? '') ?? [];
  if (first === undefined || last === undefined || first + last === '') return undefined;
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? sizeBytes : Math.min(sizeBytes, Number(last) + 1);
  if (first !== '' && last !== '' && Number(last) < start) return undefined;
  return start < end ? { start, end } : 'unsatisfiable';
}

/**
 * Reads as the client takes. The file is open only while it is read from: a client that stops taking
 * holds its connection, which the server ends, and nothing else.
 */
function streamRange(key: string, start: number, end: number): ReadableStream<Uint8Array> {
  let position = start;
  return new ReadableStream({
    async pull(controller) {
      const bytes = Math.min(chunkBytes, end - position);
      const chunk = await readLocal(env().DATA_FOLDER, key, { position, bytes });
      if (chunk.length === 0) throw new Error('The file is shorter than it was.');
      controller.enqueue(chunk);
      position += chunk.length;
      if (position === end) controller.close();
    },
  });
}

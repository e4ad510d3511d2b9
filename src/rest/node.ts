import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { mountPath } from '../operations';
import type { TraceHeaders } from '../tracing/tracer';
import type { Defer, RestAnswer } from './exchange';
import { handleTraced } from './traced';
import { smallAnswerBytes, unsent } from './unsent';
import { whenClosed } from './when-closed';

/** Whether a request target belongs to the REST API. */
export function isRestTarget(target: string): boolean {
  return target.startsWith(mountPath) && /^(?:[/\\?]|$)/.test(target.slice(mountPath.length));
}

/**
 * `handleRest` for a socket, without a web framework between: it costs a quarter of the same call
 * through a Next route, and no framework answers for paths it dislikes. `sent` is the body, where
 * somebody counts it on the way.
 */
export async function handleNodeRequest(
  request: IncomingMessage,
  response: ServerResponse,
  defer: Defer,
  // Leaving the loop early must not cut the connection: a 413 is still to be read.
  sent: AsyncIterable<Uint8Array> = request.iterator({ destroyOnReturn: false }),
): Promise<void> {
  const target = request.url ?? '/';
  const queryAt = target.indexOf('?');
  const path = queryAt < 0 ? target : target.slice(0, queryAt);
  const afterResponse: Defer = (task) => whenClosed(response, () => defer(task));
  const answer = await handleTraced(
    {
      method: request.method ?? 'GET',
      path: path.slice(mountPath.length) || '/',
      search: queryAt < 0 ? '' : target.slice(queryAt),
      authorization: request.headers.authorization,
      ifNoneMatch: request.headers['if-none-match'],
      idempotencyKey: idempotencyKeyOf(request),
      prefer: joined(request.headers.prefer),
      body: sent,
      whenGone: (listener) => whenClosed(response, listener),
    },
    traceHeaders(request),
    afterResponse,
  );
  const { status, headers, body } = answer;
  if (body === undefined) {
    response.writeHead(status, headers);
    response.end();
  } else if (body instanceof Uint8Array) {
    response.writeHead(status, { ...headers, 'Content-Length': body.byteLength });
    holdUntilTaken(response, answer, body.byteLength);
    response.end(body);
  } else if (Array.isArray(body)) {
    const length = body.reduce((sum, { byteLength }) => sum + byteLength, 0);
    response.writeHead(status, { ...headers, 'Content-Length': length });
    holdUntilTaken(response, answer, length);
    await pipeline(Readable.from(body), response).catch(() => {});
  } else {
    response.writeHead(status, headers);
    // As fast as the client takes it. Where it fails, which is logged where it comes from, the
    // connection is cut, so that nobody takes a part for the whole.
    await pipeline(Readable.from(body), response).catch(() => {});
  }
  // What is left of a refused body is thrown away, or the connection would never get to its next
  // request. The front bounds how much that may be, and how long it may take.
  if (!request.complete) request.resume();
}

/** Whoever takes it too slowly is cut off once there is too much of it. */
function holdUntilTaken(
  response: ServerResponse,
  { accountId = '' }: RestAnswer,
  bytes: number,
): void {
  if (bytes <= smallAnswerBytes || response.destroyed) return;
  const release = unsent().hold(accountId, bytes, () => response.destroy());
  whenClosed(response, release);
}

function traceHeaders({ headers }: IncomingMessage): TraceHeaders {
  return {
    traceparent: joined(headers.traceparent) ?? null,
    tracestate: joined(headers.tracestate) ?? null,
  };
}

/**
 * Of two a client cannot know which counts: parted by a line break, they are none. As Node joins them
 * they would be one key, which another attempt with one of the two does not have.
 */
function idempotencyKeyOf(request: IncomingMessage): string | undefined {
  const header = joined(request.headers['idempotency-key']);
  // The headers one by one cost a copy of all of them.
  return header?.includes(', ') ? request.headersDistinct['idempotency-key']?.join('\n') : header;
}

/** A header that Node may give in parts. */
function joined(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}

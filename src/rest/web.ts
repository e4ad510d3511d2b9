import { ApiError } from '../api/errors';
import { mountPath } from '../operations';
import { type Defer, handleRest } from './rest';

/** `handleRest` for a web-standard Request, as Next's route handlers are given. */
export async function handleWebRequest(request: Request, defer: Defer): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const answer = await handleRest(
    {
      method: request.method,
      path: pathname.slice(mountPath.length) || '/',
      search,
      authorization: request.headers.get('authorization'),
      ifNoneMatch: request.headers.get('if-none-match'),
      idempotencyKey: request.headers.get('idempotency-key'),
      prefer: request.headers.get('prefer'),
      body: chunks(request.body),
      whenGone: (listener) => request.signal.addEventListener('abort', listener, { once: true }),
    },
    defer,
  );
  const { status, headers, body } = answer;
  const isWhole = body === undefined || body instanceof Uint8Array;
  return new Response(isWhole ? body : asStream(body), { status, headers });
}

/** As fast as the client takes it; what it leaves behind is ended. */
function asStream(body: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await pieces.return?.();
    },
  });
}

async function* chunks(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  // Cancelling would cut the connection before a 413 is read.
  if (body) yield* body.values({ preventCancel: true });
}

/** For paths below `/api` that are none of ours: data, and no page, as everything there. */
export function answerUnknownEndpoint(): Response {
  const { status, body } = new ApiError('INVALID_ENDPOINT');
  return Response.json(body, { status, headers: { 'Cache-Control': 'no-store' } });
}

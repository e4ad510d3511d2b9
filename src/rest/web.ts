import { ApiError, refusal } from '../api/errors';
import { mountPath } from '../operations';
import type { Defer } from './exchange';
import { pacedBody } from './paced-body';
import { handleTraced } from './traced';

/** `handleRest` for a web-standard Request, as Next's route handlers are given. */
export async function handleWebRequest(request: Request, defer: Defer): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const answer = await handleTraced(
    {
      method: request.method,
      path: pathname.slice(mountPath.length) || '/',
      search,
      authorization: request.headers.get('authorization'),
      ifNoneMatch: request.headers.get('if-none-match'),
      idempotencyKey: request.headers.get('idempotency-key'),
      prefer: request.headers.get('prefer'),
      body: chunks(request.body),
      whenGone: (listener) => {
        if (request.signal.aborted) listener();
        else request.signal.addEventListener('abort', listener, { once: true });
      },
    },
    {
      traceparent: request.headers.get('traceparent'),
      tracestate: request.headers.get('tracestate'),
    },
    defer,
  );
  const { status, headers, body, accountId = '' } = answer;
  return new Response(body && pacedBody(accountId, body), { status, headers });
}

async function* chunks(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  // Cancelling would cut the connection before a 413 is read.
  if (body) yield* body.values({ preventCancel: true });
}

/** For paths below `/api` that are none of ours: data, and no page, as everything there. */
export function answerUnknownEndpoint(): Response {
  return refusal(new ApiError('INVALID_ENDPOINT'));
}

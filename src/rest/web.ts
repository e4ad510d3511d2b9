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
      body: chunks(request.body),
    },
    defer,
  );
  return new Response(answer.body, { status: answer.status, headers: answer.headers });
}

async function* chunks(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  // Cancelling would cut the connection before a 413 is read.
  if (body) yield* body.values({ preventCancel: true });
}

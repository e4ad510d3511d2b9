import { ApiError, refusal } from './errors';
import { requireFewValues } from './json-values';

const kiB = 1024;
const miB = 1024 * kiB;

/** Largest body of a request to the REST API, in bytes. */
export const maxBodyBytes = miB;

/** Largest body of an import, in bytes. */
export const maxImportBytes = 8 * miB;

/**
 * From this size on, in bytes, a body that is no upload counts as in memory until it is answered, and not
 * only while it arrives; and since parsing it takes long, its values are counted first.
 */
export const largeBodyBytes = 64 * kiB;

/** Largest uploaded file, in bytes; each kind of file has its own bound below it. */
export const maxUploadBytes = 500 * miB;

/** Largest body by what a path begins with, in bytes. The smallest holds for all other paths. */
const capsByPrefix: readonly (readonly [prefix: string, maxBytes: number])[] = [
  ['/api/auth/', 64 * kiB],
  ['/api/trpc/', miB],
  ['/api/v1/', maxBodyBytes],
];
const otherMaxBytes = 16 * kiB;

/** As with uploads: a path that is written otherwise gets the smaller bound. */
const importPath = /^\/api\/v1\/imports\/?$/;

/**
 * One upload procedure, and no batch: a batch, and a body of another type, would be read whole
 * before anything looks at it. A path that is written otherwise gets the smaller bound.
 */
const uploadPath = /^\/api\/trpc\/uploads\.\w+$/;

/** Whether a request uploads a file: its body is streamed and counted by what stores it. */
export function isUpload(path: string, contentType: string | null | undefined): boolean {
  return uploadPath.test(path) && /^application\/octet-stream\b/i.test(contentType ?? '');
}

/** How many bytes the body of a request to a path may have; the path as sent, without the query. */
export function bodyCap(path: string, contentType?: string | null): number {
  if (isUpload(path, contentType)) return maxUploadBytes;
  if (importPath.test(path)) return maxImportBytes;
  return capsByPrefix.find(([prefix]) => path.startsWith(prefix))?.[1] ?? otherMaxBytes;
}

/** A cap as people read it. */
export function sizeOf(maxBytes: number): string {
  return maxBytes >= miB ? `${maxBytes / miB} MiB` : `${maxBytes / kiB} KiB`;
}

/** What is answered to a body above a cap. */
export function tooLarge(maxBytes: number): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', {
    message: `The request body is larger than ${sizeOf(maxBytes)}.`,
  });
}

/** Joined as they come: of one byte each, the chunks of a body would take a hundred times its bytes. */
const chunksJoined = 1024;

/**
 * A whole body. Counts what arrives, for a Content-Length may lie or be missing, and holds no more
 * than the cap.
 * @throws ApiError PAYLOAD_TOO_LARGE, and whatever the body throws where it breaks off
 */
export async function readCapped(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Buffer<ArrayBuffer>> {
  const joined: Uint8Array[] = [];
  let chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
    if (chunks.length < chunksJoined) continue;
    joined.push(Buffer.concat(chunks));
    chunks = [];
  }
  return Buffer.concat([...joined, ...chunks]);
}

/**
 * Has a request handled whose body has at most the cap of its path, so that no framework behind can
 * hold more, and not too many values; else the answer is our error body, whatever the framework would
 * have made of it. For the route handlers of Next.
 */
export async function withCappedBody(
  request: Request,
  handle: (request: Request) => Promise<Response>,
): Promise<Response> {
  if (!request.body) return handle(request);
  const path = new URL(request.url).pathname;
  const type = request.headers.get('content-type');
  const maxBytes = bodyCap(path, type);
  if (isUpload(path, type)) return withCountedBody(request, request.body, maxBytes, handle);
  let body: Buffer<ArrayBuffer>;
  try {
    // Cancelling would cut the connection before a 413 is read.
    body = await readCapped(request.body.values({ preventCancel: true }), maxBytes);
    if (body.length >= largeBodyBytes) requireFewValues(body);
  } catch (error) {
    if (error instanceof ApiError) return refusal(error);
    throw error;
  }
  return handle(new Request(request, { body }));
}

/** The same for one that is not to be held in memory, and is counted as the handler reads it. */
async function withCountedBody(
  request: Request,
  sent: ReadableStream<Uint8Array<ArrayBuffer>>,
  maxBytes: number,
  handle: (request: Request) => Promise<Response>,
): Promise<Response> {
  const counter = countBytes(maxBytes);
  const body = sent.pipeThrough(counter.stream, { preventCancel: true });
  try {
    const init: RequestInit & { duplex: 'half' } = { body, duplex: 'half' };
    const answer = await handle(new Request(request, init));
    if (!counter.refused()) return answer;
  } catch (error) {
    if (!counter.refused()) throw error;
  }
  return refusal(tooLarge(maxBytes));
}

/** Passes bytes on and fails above the cap; says afterwards whether it has. */
function countBytes(maxBytes: number) {
  let size = 0;
  const stream = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > maxBytes) controller.error(tooLarge(maxBytes));
      else controller.enqueue(chunk);
    },
  });
  return { stream, refused: () => size > maxBytes };
}

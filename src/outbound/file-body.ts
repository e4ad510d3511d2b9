import { type FileHandle, open } from 'node:fs/promises';

const pieceBytes = 64 * 1024;

const none = new Uint8Array();

/** What `fetch` is to be given for a body of known length, which is made as it is sent. */
export type StreamedBody = {
  body: ReadableStream<Uint8Array>;
  duplex: 'half';
  headers: { 'content-length': string };
};

/**
 * Has `send` send a file with `fetch`, between what stands before and after it, and closes the file
 * when that has ended. A Blob of it would stay open where the receiver answers, or hangs up, before it
 * has heard everything: until garbage is collected, on newer versions of Node for good.
 * @throws what `send` throws, and an Error where the file cannot be opened
 */
export async function withFileBody<T>(
  path: string,
  send: (body: StreamedBody) => Promise<T>,
  { before = none, after = none }: { before?: Uint8Array; after?: Uint8Array } = {},
): Promise<T> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const length = before.byteLength + size + after.byteLength;
    return await send({
      body: streamOf(pieces(before, file, after)),
      duplex: 'half',
      headers: { 'content-length': String(length) },
    });
  } finally {
    await file.close();
  }
}

function streamOf(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await pieces.return(undefined)),
  });
}

async function* pieces(
  before: Uint8Array,
  file: FileHandle,
  after: Uint8Array,
): AsyncGenerator<Uint8Array> {
  if (before.byteLength > 0) yield before;
  for (;;) {
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.allocUnsafe(pieceBytes) });
    if (bytesRead === 0) break;
    yield buffer.subarray(0, bytesRead);
  }
  if (after.byteLength > 0) yield after;
}

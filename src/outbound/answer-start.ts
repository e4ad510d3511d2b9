/**
 * The beginning of an answer's body as text, and whether that is all of it. No more than `maxBytes` are
 * kept, and none are read after them or, where it is given, after `maxMs`: then the connection is cut.
 * `signal` is that of the request, which does not end the reading by itself: see `chunksOf`.
 * @throws what reading throws, where the body breaks off; the signal's reason
 */
export async function readStart(
  { body }: Response,
  { maxBytes, maxMs, signal }: { maxBytes: number; maxMs?: number; signal?: AbortSignal },
): Promise<{ text: string; isWhole: boolean }> {
  if (!body) return { text: '', isWhole: true };
  const reader = body.getReader();
  // Made once: a body may come byte by byte.
  const kept = Buffer.allocUnsafe(maxBytes);
  let length = 0;
  let isWhole = true;
  const cut = () => {
    isWhole = false;
    // What comes of it nobody needs: a body that has broken off is not read any further either.
    reader.cancel().catch(() => {});
  };
  const timer = maxMs === undefined ? undefined : setTimeout(cut, maxMs);
  signal?.addEventListener('abort', cut);
  if (signal?.aborted) cut();
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) break;
      kept.set(value.subarray(0, maxBytes - length), length);
      length += value.byteLength;
      if (length > maxBytes) {
        length = maxBytes;
        cut();
        break;
      }
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cut);
  }
  signal?.throwIfAborted();
  return { text: kept.toString('utf8', 0, length), isWhole };
}

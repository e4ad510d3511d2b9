/**
 * What comes of an answer's body, until the signal is aborted; left before its end, the connection is
 * cut. Of a body that cannot be unpacked, `fetch` may never say that it has failed, nor afterwards
 * that it was aborted: the connection has ended well, and nobody waits for it any more.
 * @throws the signal's reason; what reading throws, where the body breaks off
 */
export async function* chunksOf(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  // What comes of it nobody needs. Whoever reads is told that this is all.
  const cut = () => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener('abort', cut);
  try {
    while (true) {
      signal.throwIfAborted();
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', cut);
    cut();
  }
}

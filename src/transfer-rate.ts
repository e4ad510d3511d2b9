/** What a transfer must bring to go on: so much on average, judged at the end of each window. */
type MinimumRate = { bytesPerSecond: number; windowMs: number };

/**
 * Watches a transfer, so that nobody holds on to what it occupies by sending next to nothing. The
 * first window is grace and not judged: whoever sends nothing is found out after two. `onTooSlow` is
 * called once; nothing is watched afterwards.
 */
export function watchRate(
  { bytesPerSecond, windowMs }: MinimumRate,
  onTooSlow: () => void,
): { count(bytes: number): void; stop(): void } {
  const leastBytes = (bytesPerSecond * windowMs) / 1000;
  let isGrace = true;
  let bytesInWindow = 0;
  const timer = setInterval(() => {
    if (!isGrace && bytesInWindow < leastBytes) {
      clearInterval(timer);
      onTooSlow();
    }
    isGrace = false;
    bytesInWindow = 0;
  }, windowMs);
  return {
    count(bytes) {
      bytesInWindow += bytes;
    },
    stop: () => clearInterval(timer),
  };
}

/**
 * The chunks as they come, for as long as they come at the rate.
 * @throws what `failure` makes where they do not
 */
export async function* atMinimumRate<Chunk extends Uint8Array>(
  chunks: AsyncIterable<Chunk>,
  minimum: MinimumRate,
  failure: () => Error,
): AsyncGenerator<Chunk, void, undefined> {
  const source = chunks[Symbol.asyncIterator]();
  let fail = (_: Error) => {};
  const tooSlow = new Promise<never>((_, reject) => {
    fail = reject;
  });
  // It may come when nobody waits for a chunk; the next one who does hears of it.
  tooSlow.catch(() => {});
  const rate = watchRate(minimum, () => fail(failure()));
  try {
    while (true) {
      const next = await Promise.race([tooSlow, source.next()]);
      if (next.done) return;
      rate.count(next.value.byteLength);
      yield next.value;
    }
  } finally {
    rate.stop();
    // Not waited for: a source that sends nothing would not answer.
    source.return?.().catch(() => {});
  }
}

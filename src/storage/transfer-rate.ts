/** What a transfer must bring to go on: so much on average, judged at the end of each window. */
type MinimumRate = { bytesPerSecond: number; windowMs: number };

/**
 * From so many pieces on, each must have so many bytes on average: a piece of one byte costs as much as
 * one of a thousand, and each network packet of a file has hundreds.
 */
const crumbs = { pieces: 10_000, bytesEach: 64 };

/** A window that ended later than this, in windows, is one in which the process did not look. */
const latest = 1.5;

/**
 * Watches a transfer, so that nobody holds on to what it occupies by sending next to nothing. The
 * first window is grace and not judged: whoever sends nothing is found out after two. What comes in
 * pieces of a few bytes is too slow as well. `onTooSlow` is called once; nothing is watched afterwards.
 * Where this process stood still, what arrived meanwhile is still to be read: that window is not
 * judged, and the next is grace.
 */
export function watchRate(
  { bytesPerSecond, windowMs }: MinimumRate,
  onTooSlow: () => void,
  now: () => number = () => performance.now(),
): { count(bytes: number): void; stop(): void } {
  const leastBytes = (bytesPerSecond * windowMs) / 1000;
  let isOver = false;
  let isGrace = true;
  let bytesInWindow = 0;
  let bytes = 0;
  let pieces = 0;
  let windowFrom = now();
  const timer = setInterval(() => {
    const stoodStill = now() - windowFrom > latest * windowMs;
    windowFrom = now();
    if (!isGrace && !stoodStill && bytesInWindow < leastBytes) end();
    isGrace = stoodStill;
    bytesInWindow = 0;
  }, windowMs);
  function end() {
    if (isOver) return;
    isOver = true;
    clearInterval(timer);
    onTooSlow();
  }
  return {
    count(pieceBytes) {
      bytesInWindow += pieceBytes;
      bytes += pieceBytes;
      pieces += 1;
      if (pieces >= crumbs.pieces && bytes < pieces * crumbs.bytesEach) end();
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
  let tooSlow: Error | undefined;
  let fail = (_: Error) => {};
  // It may come when nobody waits for a chunk; the next one who does hears of it.
  const rate = watchRate(minimum, () => {
    tooSlow = failure();
    fail(tooSlow);
  });
  // A race with one promise for all chunks would hold each of them as long as that is there.
  const nextInTime = () =>
    new Promise<IteratorResult<Chunk>>((resolve, reject) => {
      if (tooSlow) return reject(tooSlow);
      fail = reject;
      source.next().then(resolve, reject);
    });
  try {
    while (true) {
      const next = await nextInTime();
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

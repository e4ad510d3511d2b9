/** What a transfer must bring to go on: so much on average, judged at the end of each window. */
export type MinimumRate = { bytesPerSecond: number; windowMs: number };

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

const firstMs = 500;
const longestMs = 30_000;

/** Who has served for so long does not die of its start. */
const steadyMs = 60_000;

type Backoff = {
  /** How long to wait before the next start, after one that served for `servedMs`. */
  nextMs(servedMs: number): number;
};

/**
 * The first start after a death is made at once, and so is one after a steady life; from then on each
 * waits twice as long as the one before, up to half a minute.
 */
export function createBackoff(): Backoff {
  let deaths = 0;
  return {
    nextMs(servedMs) {
      if (servedMs >= steadyMs) deaths = 0;
      deaths += 1;
      return deaths === 1 ? 0 : Math.min(longestMs, firstMs * 2 ** (deaths - 2));
    },
  };
}

/**
 * A reading that is made once for all who ask within `ms`, whether it succeeds or not, however many
 * they are.
 */
export function cachedFor<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (!reading || now - readAt >= ms) {
      readAt = now;
      reading = read();
    }
    return reading;
  };
}

/** For so long after it was looked up nobody asks whether it is still there. */
const knownForMs = 250;

/**
 * Asks `requireAccess` again, and throws what it throws, where it is more than a moment since whoever
 * asks was looked up, which is as this is made: a body may take its time, and so may a turn.
 */
export function createLaterCheck(requireAccess: () => Promise<void>): () => Promise<void> {
  const knownAt = performance.now();
  return async () => {
    if (performance.now() - knownAt > knownForMs) await requireAccess();
  };
}

/** A look at session or key holds for so long. */
const knownForMs = 250;

/**
 * `requireAccess` for a request that may have been under way for a while, with its body or in line for a
 * turn: it is asked only where the first look, which was as this is made, is more than a moment ago.
 */
export function createLaterCheck(requireAccess: () => Promise<void>): () => Promise<void> {
  const knownAt = performance.now();
  return async () => {
    if (performance.now() - knownAt > knownForMs) await requireAccess();
  };
}

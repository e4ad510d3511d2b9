export const idempotencyLimits = {
  /** How long a key keeps its answer. */
  hours: 24,
  /** When to ask again while the first request is under way. */
  retryAfterSeconds: 1,
  /** Answers removed by one statement. */
  trimBatch: 500,
};

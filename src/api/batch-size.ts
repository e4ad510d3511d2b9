/** Procedures that a page may call in one request. */
export const maxBatchSize = 10;

/** Bounds of the request log. Sizes are in characters. */
export const requestLogLimits = {
  /** How long a row is kept; its day is dropped once all of it is older. */
  days: 7,
  /** For which the table has its partitions ready. */
  daysAhead: 3,
  /**
   * Rows that one process writes of an account within a minute: as many as the contract lets an
   * account send within an hour. What goes beyond is counted.
   */
  rowsPerMinute: 1_000,
  /** Beside these, of answers that took nothing of the account's limit: over it, and to refused keys. */
  refusalsPerMinute: 10,
  /** Rows that wait to be written, in a process. */
  waitingRows: 10_000,
  waitingBytes: 8 * 1024 ** 2,
  /** A write begins after this time, or with this many rows. */
  flushMs: 1_000,
  flushRows: 500,
  /** Until the next try, where the database did not take them. */
  retryMs: 3_000,
  /** How long a stopping process tries to write what waits, and how soon it tries again. */
  stopMs: 8_000,
  stopRetryMs: 250,
  path: 300,
  detail: 4_000,
  fields: 20,
  problems: 10,
  problem: 200,
} as const;

export type RequestLogLimits = { [Name in keyof typeof requestLogLimits]: number };

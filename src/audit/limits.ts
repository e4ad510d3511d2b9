/** How much is kept of who changed what; the unit stands in the name. */
export const auditLimits = {
  days: 365,
  /** The newest of an account; what is over goes within the hour. */
  entriesPerAccount: 10_000,
  /** Removed in one statement. */
  trimBatch: 500,
} as const;

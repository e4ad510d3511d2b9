/** A row of the log, before it is written. */
export type Entry = {
  /** The `X-Request-Id` of the answer. */
  id: string;
  accountId: string;
  /** Milliseconds of `Date.now()`. */
  receivedAt: number;
  status: number;
  /** How many requests it stands for: one, with what is known of it; else any number, without. */
  count: number;
  request?: {
    keyId: string;
    method: string;
    route: string | undefined;
    /** Masked. */
    path: string;
    durationMs: number;
    code: string | undefined;
    /** JSON of a `detail`. */
    detail: string | undefined;
  };
};

/** What an entry takes of the memory, roughly: objects, and two bytes for a character at most. */
export function bytesOf({ request }: Entry): number {
  return 300 + 2 * ((request?.path.length ?? 0) + (request?.detail?.length ?? 0));
}

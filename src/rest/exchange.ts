import type { Principal } from '../api/principal';
import type { Route } from '../operations';
import type { Caller } from './record';
import type { Bytes } from './utf8';

export type RestRequest = {
  method: string;
  /** Below `/api/v1`, not decoded, without the query: `/testimonials`. */
  path: string;
  /** The query, with or without `?`. */
  search: string;
  authorization: string | null | undefined;
  ifNoneMatch: string | null | undefined;
  idempotencyKey: string | null | undefined;
  prefer: string | null | undefined;
  /** Reading may stop before the end. */
  body: AsyncIterable<Uint8Array>;
  /** Calls the listener once the client has left, or has its answer. */
  whenGone: (listener: () => void) => void;
};

export type RestAnswer = {
  status: number;
  headers: Record<string, string>;
  /** Whose it is, where that is known. */
  accountId?: string;
  /**
   * Whole, in slices where it is large; or a stream, which may fail at any piece, and which whoever
   * sends it must end.
   */
  body: Bytes | Bytes[] | AsyncIterable<Uint8Array> | undefined;
};

/** Runs a task once the answer is out; it may not throw. */
export type Defer = (task: () => Promise<void>) => void;

/** What is known of a request so far: for its answer's headers, and for what is written down of it. */
export type Exchange = {
  request: RestRequest;
  route: Route | undefined;
  headers: Record<string, string>;
  caller?: Caller;
  principal?: Principal;
  /** Whether it has taken one of the account's limit, once that is known. */
  tookOfLimit?: boolean;
  /** The path as it was sent, with needless escapes, as `bodyCap` takes it. */
  sentPath: string;
  /** As it was parsed, once it is. */
  body?: unknown;
  /** Whether what the operation does not know is refused. */
  isStrict: boolean;
  defer: Defer;
};

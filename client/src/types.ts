import type { Call } from './call.ts';
import type { operations, paths } from './schema.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** The paths that offer the method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [Key in Lowercase<M>]: object } ? P : never;
}[keyof paths];

/** What the document says of a method of a path. */
export type OperationAt<M extends Method, P extends keyof paths> = paths[P][Lowercase<M>];

/** The parts of one object, as one object: this is what an editor shows. */
type Joined<T> = { [Key in keyof T]: T[Key] };

type PathFields<Op> = Op extends { parameters: { path: infer Fields extends object } }
  ? Fields
  : unknown;

/** Of `?: never`, by which the document says that there is none, exact optional properties leave `never`. */
type Given<Fields> = [Fields] extends [never] ? unknown : Fields;

type QueryFields<Op> = Op extends { parameters: { query?: infer Fields extends object } }
  ? Given<Fields>
  : unknown;

type BodyFields<Op> = Op extends {
  requestBody?: { content: { 'application/json': infer Fields extends object } };
}
  ? Given<Fields>
  : unknown;

/** Everything that an operation takes: what stands in its path, and its query or its body. */
export type Input<Op> = Joined<PathFields<Op> & QueryFields<Op> & BodyFields<Op>>;

type JsonOf<Response> = Response extends { content: { 'application/json': infer Json } }
  ? Json
  : undefined;

/** What an operation answers when it succeeds; undefined where that has no body. */
type Output<Op> = Op extends { responses: infer Responses }
  ? {
      [Status in keyof Responses & (200 | 201 | 202 | 204)]: JsonOf<Responses[Status]>;
    }[keyof Responses & (200 | 201 | 202 | 204)]
  : never;

/** What may be said with each call. */
export type RequestOptions = {
  /** Ends the call, its waits and its retries. The call then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** For one attempt; see `TestimonialsOptions`. */
  timeoutMs?: number;
  /**
   * Of a POST or PATCH: the name of what is to be done once. Without it every call has a new one,
   * which serves its own retries. Give one that you have stored to make a call again after your
   * process was restarted.
   */
  idempotencyKey?: string;
  /** Sent besides the client's own. */
  headers?: Record<string, string>;
};

/** What an operation is called with. */
type Arguments<Op> =
  object extends Input<Op>
    ? [input?: Input<Op>, options?: RequestOptions]
    : [input: Input<Op>, options?: RequestOptions];

/** The function that calls a method of a path. */
export type Operation<M extends Method, P extends PathOf<M>> = (
  ...args: Arguments<OperationAt<M, P>>
) => Call<Output<OperationAt<M, P>>>;

/** A function for each operation of the document, by the name that it has there. */
export type Operations = {
  [Id in keyof operations]: (...args: Arguments<operations[Id]>) => Call<Output<operations[Id]>>;
};

import type { Answer } from './answer.ts';

/** A call under way: a promise of the answer's body, or `withResponse()` of all of the answer. */
export class Call<Body> implements Promise<Body> {
  readonly [Symbol.toStringTag] = 'Call';
  readonly #answer: Promise<Answer<Body>>;

  constructor(answer: Promise<Answer<Body>>) {
    this.#answer = answer;
  }

  /** The body, and beside it the request's id, the rate limit and the headers. */
  withResponse(): Promise<Answer<Body>> {
    return this.#answer;
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  then<Value = Body, Otherwise = never>(
    onFulfilled?: ((body: Body) => Value | PromiseLike<Value>) | null,
    onRejected?: ((reason: unknown) => Otherwise | PromiseLike<Otherwise>) | null,
  ): Promise<Value | Otherwise> {
    return this.#answer.then(({ body }) => body).then(onFulfilled, onRejected);
  }

  catch<Otherwise = never>(
    onRejected?: ((reason: unknown) => Otherwise | PromiseLike<Otherwise>) | null,
  ): Promise<Body | Otherwise> {
    return this.then(null, onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<Body> {
    return this.then().finally(onFinally);
  }
}

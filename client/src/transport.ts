import {
  type Answer,
  type RateLimit,
  readBody,
  readRateLimit,
  readRequestId,
  readRetryAfter,
} from './answer.ts';
import { type Clock, systemClock, Timeout, withTimeout } from './clock.ts';
import { TestimonialsError } from './errors.ts';
import { delayMs, isNotFound, mayBeDone, mayPass, type Patience } from './retry.ts';
import type { Method, RequestOptions } from './types.ts';

/** One that failed and is tried again. */
export type Retry = {
  method: Method;
  url: string;
  /** Requests sent so far. */
  attempts: number;
  error: TestimonialsError;
  /** Until the next one. */
  delayMs: number;
};

export type TestimonialsOptions = Partial<Patience> &
  Partial<Clock> & {
    apiKey: string;
    /** Where the API is. It ends in `/api/v1`. */
    baseUrl: string;
    /** For one attempt, from its start to the last byte of the answer. By default 60 seconds. */
    timeoutMs?: number;
    /** Sent with every request, besides the client's own. */
    headers?: Record<string, string>;
    fetch?: (url: string, init: RequestInit) => Promise<Response>;
    /** Told before each wait for another attempt: for your log. */
    onRetry?: (retry: Retry) => void;
  };

/** A request that can be sent as often as needed. */
type Request = { method: Method; url: string; init: RequestInit };

type Outcome =
  | { response: Response; body: unknown; error?: undefined }
  | { response?: Response; error: TestimonialsError };

/** Sends requests until they are answered, or patience is at its end. */
export class Transport {
  /** Of the last answer that named it. */
  rateLimit: RateLimit | undefined;
  readonly timeoutMs: number;
  readonly #options: TestimonialsOptions;
  readonly #baseUrl: string;
  readonly #clock: Clock;

  constructor(options: TestimonialsOptions) {
    if (!options.apiKey) throw new TypeError('apiKey is missing.');
    this.timeoutMs = options.timeoutMs ?? 60_000;
    this.#options = options;
    const { protocol, username, password, href } = new URL(options.baseUrl);
    // `localhost:3000` is a URL too; nobody answers there, and a feed would wait for ever.
    if (!/^https?:$/.test(protocol)) {
      throw new TypeError('baseUrl must begin with https:// or http://.');
    }
    // `fetch` sends nothing there, which a feed would take for a connection that failed.
    if (username || password) throw new TypeError('baseUrl must be without user and password.');
    this.#baseUrl = href.replace(/\/+$/, '');
    this.#clock = {
      now: options.now ?? systemClock.now,
      sleep: options.sleep ?? systemClock.sleep,
      random: options.random ?? systemClock.random,
    };
  }

  /**
   * What the operation answers; of what type its body is, the caller knows. A request that may
   * succeed later is sent again, with the same idempotency key.
   * @throws TestimonialsError; TypeError for what cannot be sent; the reason of an aborted signal
   */
  async send<Body>(
    method: Method,
    path: string,
    input: object = {},
    options: RequestOptions = {},
    { maxAttempts = 5, totalTimeoutMs = 120_000 }: Partial<Patience> = this.#options,
  ): Promise<Answer<Body>> {
    const request = this.#request(method, path, input, options);
    const { now, sleep, random } = this.#clock;
    const endAt = now() + totalTimeoutMs;
    let mayBeDeleted = false;
    for (let attempts = 1; ; attempts += 1) {
      const timeoutMs = Math.min(options.timeoutMs ?? this.timeoutMs, endAt - now());
      const outcome = await this.#attempt(request, timeoutMs, options.signal);
      if (!outcome.error) return answer(outcome.response, outcome.body, attempts);
      const { error, response } = outcome;
      // An attempt whose answer was lost has deleted it, or it was gone before: it is gone.
      if (response && mayBeDeleted && isNotFound(error)) {
        return answer(response, undefined, attempts);
      }
      mayBeDeleted ||= method === 'DELETE' && mayBeDone(response?.status);
      const waitMs = delayMs(error, attempts, random);
      if (!mayPass(error) || attempts >= maxAttempts || now() + waitMs >= endAt) throw error;
      this.#options.onRetry?.({ method, url: request.url, attempts, error, delayMs: waitMs });
      await sleep(waitMs, options.signal);
      // Where the machine has slept as well, there is no time for another.
      if (now() >= endAt) throw error;
    }
  }

  #request(method: Method, path: string, input: object, options: RequestOptions): Request {
    const { apiKey, headers: always } = this.#options;
    const headers = new Headers(always);
    // One by one: of names in two letter cases, a record has both, and both would be sent.
    for (const [name, value] of new Headers(options.headers)) headers.set(name, value);
    headers.set('authorization', `Bearer ${apiKey}`);
    const fields = new Map<string, unknown>(Object.entries(input));
    const url = new URL(this.#baseUrl + filled(path, fields));
    const init: RequestInit = { method, headers, redirect: 'manual' };
    if (method === 'POST' || method === 'PATCH') {
      headers.set('content-type', 'application/json');
      // Of this call alone: one that every request carried would be another's.
      const given = options.idempotencyKey ?? new Headers(options.headers).get('idempotency-key');
      headers.set('idempotency-key', given ?? crypto.randomUUID());
      init.body = JSON.stringify(Object.fromEntries(fields));
    } else {
      for (const [name, value] of fields) {
        if (value !== undefined) url.searchParams.set(name, String(value));
      }
    }
    return { method, url: url.href, init };
  }

  async #attempt(
    { method, url, init }: Request,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<Outcome> {
    const { now } = this.#clock;
    const { fetch = globalThis.fetch } = this.#options;
    let response: Response | undefined;
    const read = async (signal: AbortSignal): Promise<Outcome> => {
      response = await fetch(url, { ...init, signal });
      this.rateLimit = readRateLimit(response) ?? this.rateLimit;
      return { response, body: await readBody(response, method === 'DELETE', now()) };
    };
    try {
      return await withTimeout(read, timeoutMs, signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof TestimonialsError) return { response, error };
      // What it asks for, and whether it refused, stands in its head, which came.
      return { response, error: lost(error, response && readRetryAfter(response, now())) };
    }
  }
}

/** The path with the fields that it names, which are taken out of them. */
function filled(path: string, fields: Map<string, unknown>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(fields.get(name) ?? '');
    // A dot or two would lead to another path.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${name} is missing.`);
    fields.delete(name);
    return encodeURIComponent(value);
  });
}

function answer<Body>(response: Response, body: unknown, attempts: number): Answer<Body> {
  return {
    // What the document promises, and the service's own tests hold it to.
    body: body as Body,
    response,
    requestId: readRequestId(response),
    rateLimit: readRateLimit(response),
    isReplayed: response.headers.get('idempotency-replayed') === 'true',
    attempts,
  };
}

function lost(cause: unknown, retryAfterSeconds: number | undefined): TestimonialsError {
  const fields = { cause, retryAfterSeconds };
  return cause instanceof Timeout
    ? new TestimonialsError('TIMEOUT', cause.message, fields)
    : new TestimonialsError('CONNECTION_FAILED', 'No answer came: the connection failed.', fields);
}

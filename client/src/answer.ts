import { CursorExpiredError, type ErrorFields, TestimonialsError } from './errors.ts';
import type { ErrorResponse } from './schema.ts';

/** Where the account stands in its window of an hour. */
export type RateLimit = { limit: number; remaining: number; resetAt: Date };

/** An answer with what came beside its body. */
export type Answer<Body> = {
  body: Body;
  /** As `fetch` gave it; its body is read already. */
  response: Response;
  requestId: string | undefined;
  rateLimit: RateLimit | undefined;
  /** Whether it is the answer that an earlier request with the same idempotency key had. */
  isReplayed: boolean;
  /** How many requests were sent for it. */
  attempts: number;
};

/**
 * The rate limit of an answer; undefined where it names none, as before the key is known, and
 * where something in between has headers of these names with a date or a list in them.
 */
export function readRateLimit({ headers }: Response): RateLimit | undefined {
  const read = (name: string) => Number(headers.get(`x-ratelimit-${name}`) || Number.NaN);
  const [limit, remaining, resetAt] = [read('limit'), read('remaining'), new Date(read('reset'))];
  const areNumbers = [limit, remaining, resetAt.getTime()].every(Number.isFinite);
  return areNumbers ? { limit, remaining, resetAt } : undefined;
}

/** The service's own name of the request. */
export function readRequestId({ headers }: Response): string | undefined {
  return headers.get('x-request-id') ?? undefined;
}

/**
 * The JSON of an answer that tells of success; undefined where it has no body, and may have none.
 * @throws TestimonialsError for any other answer; what `fetch` throws where the answer broke off
 */
export async function readBody(
  response: Response,
  mayBeEmpty: boolean,
  now: number,
): Promise<unknown> {
  const text = await response.text();
  const json = parsed(text);
  if (!response.ok) throw errorOf(response, json, now);
  if (mayBeEmpty && text === '') return undefined;
  if (typeof json !== 'object' || json === null) throw unexpected(response, {});
  return json;
}

function errorOf(response: Response, json: unknown, now: number): TestimonialsError {
  const fields: ErrorFields = {
    status: response.status,
    requestId: readRequestId(response),
    retryAfterSeconds: readRetryAfter(response, now),
  };
  if (!isErrorResponse(json)) return unexpected(response, fields);
  const { code, message, details } = json.error;
  const kind = code === 'CURSOR_EXPIRED' ? CursorExpiredError : TestimonialsError;
  return new kind(code, `${message} (${response.status} ${code})`, { ...fields, details });
}

/** Something in between has answered: a proxy, a page, a redirect. */
function unexpected(response: Response, fields: ErrorFields): TestimonialsError {
  const { status } = response;
  const message = `The answer, with status ${status}, is not one of the API. Does baseUrl end in /api/v1, and is it where nothing redirects?`;
  return new TestimonialsError('UNEXPECTED_RESPONSE', message, { status, ...fields });
}

/** RFC 9110, section 10.2.3; where there is none, and the rate limit is used up, until its reset. */
export function readRetryAfter(response: Response, now: number): number | undefined {
  const { headers, status } = response;
  // Both instants are of the same clock, which may not be ours.
  const sentAt = Date.parse(headers.get('date') ?? '') || now;
  const given = headers.get('retry-after');
  if (given) {
    const seconds = /^\d+$/.test(given) ? Number(given) : (Date.parse(given) - sentAt) / 1000;
    if (!Number.isNaN(seconds)) return Math.max(0, Math.ceil(seconds));
  }
  const limit = status === 429 ? readRateLimit(response) : undefined;
  return limit && Math.max(0, Math.ceil((limit.resetAt.getTime() - sentAt) / 1000));
}

/**
 * The page of a list that is walked, whose cursor the walk goes on with; null where it may end.
 * @throws TestimonialsError where something in between has answered with JSON of its own
 */
export function requirePage<Page extends object>(
  page: Page,
  { mayEnd }: { mayEnd: boolean },
): Page {
  const { data, pagination }: { data?: unknown; pagination?: unknown } = page;
  const cursor: unknown = Reflect.get(Object(pagination), 'next_cursor');
  const goesOn = typeof cursor === 'string' && cursor !== '';
  if (Array.isArray(data) && (goesOn || (mayEnd && cursor === null))) return page;
  throw new TestimonialsError(
    'UNEXPECTED_RESPONSE',
    'The answer is not one of the API: it is no page of a list. Does baseUrl end in /api/v1?',
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isErrorResponse(json: unknown): json is ErrorResponse {
  if (typeof json !== 'object' || json === null || !('error' in json)) return false;
  const { error } = json;
  if (typeof error !== 'object' || error === null) return false;
  return (
    'code' in error &&
    typeof error.code === 'string' &&
    'message' in error &&
    typeof error.message === 'string'
  );
}

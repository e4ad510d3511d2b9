import { TRPCError } from '@trpc/server';
import { ZodError } from 'zod';

/**
 * The one table of errors: code → HTTP status, tRPC code, what a person is told.
 * Contract, section 7; METHOD_NOT_ALLOWED, PAYLOAD_TOO_LARGE and others are ours, where it is
 * silent.
 * The messages are fixed, so that no text of an internal error can reach a client.
 */
export const errorTable = {
  UNAUTHORIZED: {
    status: 401,
    trpc: 'UNAUTHORIZED',
    message: 'No API key was sent. Send it in the Authorization header.',
  },
  INVALID_API_KEY: {
    status: 401,
    trpc: 'UNAUTHORIZED',
    message: 'The API key is malformed or unknown. Check that it was copied whole.',
  },
  API_KEY_DISABLED: {
    status: 403,
    trpc: 'FORBIDDEN',
    message: 'The API key is switched off. Switch it on in the dashboard, or use another one.',
  },
  API_KEY_EXPIRED: {
    status: 403,
    trpc: 'FORBIDDEN',
    message: 'The API key has expired. Create a new one in the dashboard.',
  },
  INSUFFICIENT_SCOPE: {
    status: 403,
    trpc: 'FORBIDDEN',
    message: 'The API key lacks the scope this operation needs.',
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    trpc: 'TOO_MANY_REQUESTS',
    message: 'The rate limit is exceeded. Try again after the reset.',
  },
  VALIDATION_ERROR: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'The request is not valid. Compare it with the API reference.',
  },
  TESTIMONIAL_NOT_FOUND: {
    status: 404,
    trpc: 'NOT_FOUND',
    message: 'There is no testimonial with this id.',
  },
  SPACE_NOT_FOUND: {
    status: 404,
    trpc: 'NOT_FOUND',
    message: 'There is no space with this id.',
  },
  EVENT_NOT_FOUND: {
    status: 404,
    trpc: 'NOT_FOUND',
    message: 'There is no event with this id. Events are kept for 30 days.',
  },
  CURSOR_EXPIRED: {
    status: 410,
    trpc: 'PRECONDITION_FAILED',
    message:
      'Events after this cursor are no longer kept. Start over: take a new cursor, list everything, and follow the feed from there.',
  },
  API_KEY_NOT_FOUND: {
    status: 404,
    trpc: 'NOT_FOUND',
    message: 'There is no API key with this id.',
  },
  WEBHOOK_ENDPOINT_NOT_FOUND: {
    status: 404,
    trpc: 'NOT_FOUND',
    message: 'There is no webhook endpoint with this id.',
  },
  WEBHOOK_ENDPOINT_PAUSED: {
    status: 409,
    trpc: 'CONFLICT',
    message: 'The webhook endpoint is paused or switched off. Switch it on first.',
  },
  DELIVERY_NOT_FOUND: {
    status: 404,
    trpc: 'NOT_FOUND',
    message: 'There is no delivery with this id.',
  },
  REQUEST_NOT_FOUND: {
    status: 404,
    trpc: 'NOT_FOUND',
    message: 'There is no request with this id in the log. Requests are kept for 7 days.',
  },
  INVALID_WEBHOOK_URL: {
    status: 400,
    trpc: 'BAD_REQUEST',
    message: 'Webhooks cannot be sent to this URL.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    trpc: 'UNPROCESSABLE_CONTENT',
    message: 'The Idempotency-Key belongs to another request. Use a new one for each.',
  },
  IDEMPOTENCY_KEY_IN_USE: {
    status: 409,
    trpc: 'CONFLICT',
    message: 'A request with this Idempotency-Key is under way. Try again in a moment.',
  },
  MODE_CHANGED: {
    status: 409,
    trpc: 'CONFLICT',
    message: 'This tab shows the other mode, live or test. Reload it.',
  },
  LIMIT_EXCEEDED: {
    status: 409,
    trpc: 'CONFLICT',
    message: 'The account has as many of these as it may have.',
  },
  INVALID_ENDPOINT: {
    status: 404,
    trpc: 'NOT_FOUND',
    message: 'There is no such endpoint. Compare the path with the API reference.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    trpc: 'METHOD_NOT_SUPPORTED',
    message: 'This endpoint does not offer the method. The Allow header lists those it offers.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    trpc: 'PAYLOAD_TOO_LARGE',
    message: 'The request body is larger than 1 MiB (an import: 8 MiB).',
  },
  QUOTA_EXCEEDED: {
    status: 413,
    trpc: 'PAYLOAD_TOO_LARGE',
    message:
      'The account stores as much as it may. Deleting a space with testimonials makes room at once; deleting a testimonial, once its events are gone after 30 days.',
  },
  OVERLOADED: {
    status: 503,
    trpc: 'SERVICE_UNAVAILABLE',
    message: 'Too much is arriving at once. Try again in a moment.',
  },
  INTERNAL_ERROR: {
    status: 500,
    trpc: 'INTERNAL_SERVER_ERROR',
    message: 'The request could not be processed. If it goes on, report the X-Request-Id.',
  },
} as const satisfies Record<string, { status: number; trpc: TRPCError['code']; message: string }>;

export type ErrorCode = keyof typeof errorTable;

/** The error body of contract section 7. */
type ErrorBody = { error: { code: ErrorCode; message: string; details?: unknown } };

/** An error a client is meant to see. Everything else becomes INTERNAL_ERROR. */
export class ApiError extends TRPCError {
  readonly apiCode: ErrorCode;
  readonly details: unknown;
  /** When to try again, where that can be told: `Retry-After` over REST. */
  readonly retryAfterSeconds: number | undefined;

  /** `message` replaces the table's and must be fit for a client; `cause` is only logged. */
  constructor(
    apiCode: ErrorCode,
    options: {
      message?: string;
      details?: unknown;
      cause?: unknown;
      retryAfterSeconds?: number;
    } = {},
  ) {
    const { trpc, message } = errorTable[apiCode];
    super({ code: trpc, message: options.message ?? message, cause: options.cause });
    this.apiCode = apiCode;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return errorTable[this.apiCode].status;
  }

  get body(): ErrorBody {
    const { apiCode: code, message, details } = this;
    return { error: details === undefined ? { code, message } : { code, message, details } };
  }
}

/** The answer of a route that a request does not get past. */
export function refusal({ status, body }: ApiError): Response {
  return Response.json(body, { status, headers: { 'Cache-Control': 'no-store' } });
}

/** With what waits already, it takes longer; whoever comes sooner is told so again. */
const busyRetrySeconds = 5;

/**
 * What an account is told that has as many requests of a kind waiting as may, or one that waited too
 * long: 429, with the details that the code has (contract, section 7), of this bound.
 */
export function tooManyWaiting(limit: number): ApiError {
  const resetAt = Date.now() + busyRetrySeconds * 1000;
  return new ApiError('RATE_LIMIT_EXCEEDED', {
    message:
      'Too many requests of the account are under way at once. Wait for answers, then try again.',
    details: { limit, reset: String(resetAt) },
    retryAfterSeconds: busyRetrySeconds,
  });
}

/**
 * The error as clients of the API get it: which field was wrong, and why, no answer tells them
 * (contract, section 7). The log has it.
 */
export function withoutReason(error: ApiError): ApiError {
  if (error.apiCode !== 'INVALID_WEBHOOK_URL') return error;
  return new ApiError('VALIDATION_ERROR', { cause: error.message });
}

/** The client's fault, although the contract answers it with INTERNAL_ERROR (section 7). */
export class UnreadableBodyError extends Error {
  override name = 'UnreadableBodyError';
}

/** What tRPC itself finds wrong with a call, before any procedure runs. */
const callErrors: Partial<Record<TRPCError['code'], ErrorCode>> = {
  NOT_FOUND: 'INVALID_ENDPOINT',
  METHOD_NOT_SUPPORTED: 'METHOD_NOT_ALLOWED',
  BAD_REQUEST: 'VALIDATION_ERROR',
  PARSE_ERROR: 'VALIDATION_ERROR',
  UNSUPPORTED_MEDIA_TYPE: 'VALIDATION_ERROR',
};

/** Whatever was thrown, as the error a client gets. The original stays as its cause, for the log. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof TRPCError) {
    if (error.cause instanceof ApiError) return error.cause;
    const { code, cause } = error;
    const callError = callErrors[code];
    if (!callError) return new ApiError('INTERNAL_ERROR', { cause: cause ?? error });
    // The cause is logged, and a parser's message would quote the request.
    return new ApiError(callError, { cause: cause instanceof ZodError ? cause : code });
  }
  return new ApiError('INTERNAL_ERROR', { cause: error });
}

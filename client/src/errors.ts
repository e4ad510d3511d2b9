import type { ErrorResponse } from './schema.ts';

/** The service's codes, those of a later version, and the client's own. */
export type ErrorCode =
  | ErrorResponse['error']['code']
  | 'CONNECTION_FAILED'
  | 'TIMEOUT'
  | 'UNEXPECTED_RESPONSE'
  | WebhookErrorCode;

export type WebhookErrorCode =
  | 'WEBHOOK_HEADERS_INVALID'
  | 'WEBHOOK_TIMESTAMP_OUT_OF_TOLERANCE'
  | 'WEBHOOK_SIGNATURE_INVALID'
  | 'WEBHOOK_PAYLOAD_INVALID'
  | 'WEBHOOK_SECRET_INVALID';

export type ErrorFields = {
  /** Undefined where no answer came. */
  status?: number;
  /** The service's `X-Request-Id`: name it when you report a problem. */
  requestId?: string;
  /** How long the service asks to be left alone. */
  retryAfterSeconds?: number;
  /** What belongs to the code, as the reference shows it. */
  details?: unknown;
  cause?: unknown;
};

/** Everything that the client throws by itself. Decide by `code`, and by `status` where you do not know it. */
export class TestimonialsError extends Error {
  override name = 'TestimonialsError';
  readonly code: ErrorCode;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly details: unknown;

  constructor(code: ErrorCode, message: string, fields: ErrorFields = {}) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.code = code;
    this.status = fields.status;
    this.requestId = fields.requestId;
    this.retryAfterSeconds = fields.retryAfterSeconds;
    this.details = fields.details;
  }
}

/** 410: events behind the feed's cursor are gone. Take a new one with `after: 'latest'`, and list everything. */
export class CursorExpiredError extends TestimonialsError {
  override name = 'CursorExpiredError';
}

/** A delivery that is not the service's, not of now, or not unchanged. Answer it with 400. */
export class WebhookVerificationError extends TestimonialsError {
  override name = 'WebhookVerificationError';
  declare readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, message: string, fields?: ErrorFields) {
    super(code, message, fields);
  }
}

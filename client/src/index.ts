export type { Answer, RateLimit } from './answer.ts';
export type { Call } from './call.ts';
export { Testimonials } from './client.ts';
export {
  CursorExpiredError,
  type ErrorCode,
  TestimonialsError,
  WebhookVerificationError,
} from './errors.ts';
export type { EventFeed, EventPage, FollowOptions } from './feed.ts';
export type * from './schema.ts';
export type { Retry, TestimonialsOptions } from './transport.ts';
export type { RequestOptions } from './types.ts';
export { type VerifyOptions, verifyWebhook, type WebhookHeaders } from './webhook.ts';

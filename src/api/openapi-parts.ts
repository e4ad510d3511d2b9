import type { HeaderObject, OpenAPIObject } from 'openapi3-ts/oas31';
import { z } from 'zod';
import { createDocument } from 'zod-openapi';
import { type EventType, webhookEvent } from '../webhooks/schema';
import { type ErrorCode, errorTable } from './errors';

/** Contract, section 7. */
const errorBody = z
  .object({
    error: z.object({
      code: z.enum(Object.keys(errorTable)),
      message: z.string().meta({ description: 'For people; may change.' }),
      details: z.unknown().optional(),
    }),
  })
  .meta({ id: 'Error' });

const eventSummaries: Record<EventType, string> = {
  'testimonial.created': 'A testimonial was created',
  'testimonial.approved': 'A testimonial was approved',
  'testimonial.rejected': 'A testimonial was rejected',
  'testimonial.deleted': 'A testimonial was deleted',
};

/** Standard Webhooks, "Webhook headers". */
const deliveryHeaders = z.object({
  'webhook-id': z.string().meta({ description: 'The id of the event; the same over retries.' }),
  'webhook-timestamp': z.string().meta({ description: 'Unix time of this attempt, in seconds.' }),
  'webhook-signature': z.string().meta({
    description: '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; several are spaced.',
  }),
});

/** The `webhooks` section and the component schemas it and the errors need. */
export function webhooksAndErrors(): Pick<OpenAPIObject, 'webhooks' | 'components'> {
  const { webhooks, components }: OpenAPIObject = createDocument({
    openapi: '3.1.0',
    info: { title: '', version: '' },
    components: { schemas: { Error: errorBody } },
    webhooks: Object.fromEntries(
      Object.entries(eventSummaries).map(([type, summary]) => [
        type,
        {
          post: {
            operationId: type.replace(/\W(\w)/g, (_, letter: string) => letter.toUpperCase()),
            summary,
            tags: ['Webhooks'],
            requestParams: { header: deliveryHeaders },
            requestBody: { content: { 'application/json': { schema: webhookEvent } } },
            responses: {
              '2XX': { description: 'Received. Any other answer is tried again.' },
            },
          },
        },
      ]),
    ),
  });
  return { webhooks, components };
}

const stringHeader = (description: string, example: string): HeaderObject => ({
  description,
  schema: { type: 'string' },
  example,
});

/** Contract, section 8. */
export const rateLimitHeaderObjects: Record<string, HeaderObject> = {
  'X-RateLimit-Limit': stringHeader('Requests allowed per hour for the account.', '1000'),
  'X-RateLimit-Remaining': stringHeader('Requests left in the current window.', '999'),
  'X-RateLimit-Reset': stringHeader(
    'End of the current window, Unix timestamp in milliseconds.',
    '1768473000000',
  ),
};

export const otherHeaderObjects: Record<string, HeaderObject> = {
  'X-Request-Id': stringHeader(
    'Names this request in our log; quote it when you ask for help.',
    '3f2b8c1e-9a54-4c61-8f0e-2b7d6a5c4e3d',
  ),
  'Retry-After': stringHeader('Seconds until the window ends.', '1800'),
};

/** The error body of a code, with the details that it carries. */
export function exampleError(code: ErrorCode): unknown {
  const details = exampleDetails[code];
  const { message } = errorTable[code];
  return { error: details ? { code, message, details } : { code, message } };
}

const exampleDetails: Partial<Record<ErrorCode, unknown>> = {
  UNAUTHORIZED: { header: 'Authorization: Bearer <API_KEY>' },
  RATE_LIMIT_EXCEEDED: { limit: 1000, reset: '1768473000000' },
};

export const apiDescription = `Collect, moderate and publish testimonials.

Send an API key in the \`Authorization\` header: \`Bearer sk_live_…\`. Keys belong on a server, never in browser code. An account may make 1,000 requests per hour, shared by all of its keys.

Errors have the body \`{ "error": { "code", "message", "details"? } }\`. Besides those listed with each operation: a path that does not exist answers 404 \`INVALID_ENDPOINT\`, and a method that a path does not offer answers 405 \`METHOD_NOT_ALLOWED\`.

Answers may gain fields; treat unknown ones as optional.`;

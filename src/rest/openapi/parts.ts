import type {
  HeaderObject,
  HeadersObject,
  OpenAPIObject,
  ParameterObject,
  ResponseObject,
  TagObject,
} from 'openapi3-ts/oas31';
import { z } from 'zod';
import { createDocument } from 'zod-openapi';
import { type ErrorCode, errorTable } from '../../api/errors';
import type { EventType } from '../../outbox/event-types';
import { apiRequestLimit } from '../../rate-limit/limits';
import { exampleTestimonial } from '../../testimonials/schema';
import { eventType, webhookEvent } from '../../webhooks/schema';

/** Contract, section 7. */
const errorBody = (codes: ErrorCode[]) =>
  z
    .object({
      error: z.object({
        code: z.enum(codes).meta({ description: 'Decide by this.' }),
        message: z.string().meta({ description: 'For people; may change.' }),
        details: z
          .unknown()
          .optional()
          .meta({ description: 'What belongs to the code; the examples show it.' }),
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
export function webhooksAndErrors(
  codes: ErrorCode[],
): Pick<OpenAPIObject, 'webhooks' | 'components'> {
  const { webhooks, components }: OpenAPIObject = createDocument({
    openapi: '3.1.0',
    info: { title: '', version: '' },
    components: { schemas: { Error: errorBody(codes) } },
    webhooks: Object.fromEntries(
      eventType.options.map((type) => [
        type,
        {
          post: {
            operationId: type.replace(/\W(\w)/g, (_, letter: string) => letter.toUpperCase()),
            summary: eventSummaries[type],
            description:
              'Sent at least once, signed as Standard Webhooks describes. Answer with any 2xx within 15 seconds.',
            tags: ['Webhooks'],
            requestParams: { header: deliveryHeaders },
            requestBody: {
              required: true,
              content: {
                'application/json': { schema: webhookEvent, example: exampleEvent(type) },
              },
            },
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

function exampleEvent(type: EventType) {
  const isStatusEvent = type === 'testimonial.approved' || type === 'testimonial.rejected';
  return {
    id: '3f2b8c1e-9a54-4c61-8f0e-2b7d6a5c4e3d',
    type,
    timestamp: '2026-01-15T10:31:00.654321+00:00',
    sequence: type === 'testimonial.created' ? 1 : 2,
    data: {
      ...exampleTestimonial,
      status: type === 'testimonial.rejected' ? 'rejected' : 'approved',
      ...(isStatusEvent && { previous_status: 'pending' }),
    },
  };
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
  ETag: stringHeader(
    'Changes when a testimonial or a space of the account does. Send it as If-None-Match.',
    '"nM3Xk0pYt6bR2vQ8sL1wZc5dF7hJ9aG4eU0iO3yTqKE"',
  ),
  Allow: stringHeader('The methods that the path offers.', 'GET, PATCH, DELETE, HEAD'),
};

/** RFC 9110, section 13.1.2. */
export const ifNoneMatchParameter: ParameterObject = {
  in: 'header',
  name: 'If-None-Match',
  description: 'The ETag of the answer you have; where it is still current, you get a 304.',
  schema: { type: 'string' },
};

export function headerReferences(names: string[]): HeadersObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const uncountedNote =
  'Of these, `INSUFFICIENT_SCOPE` alone carries the rate limit headers: the others are answered before the request is counted.';

/** The response of one status, with an example for each of its codes. */
export function errorResponse(status: number, codes: ErrorCode[]): ResponseObject {
  return {
    description: [
      ...codes.map((code) => `\`${code}\`: ${errorTable[code].message}`),
      ...(status === 403 ? [uncountedNote] : []),
    ].join(' '),
    headers: headerReferences([
      // An unauthenticated request counts nowhere.
      ...(status === 401 ? [] : Object.keys(rateLimitHeaderObjects)),
      ...(status === 429 ? ['Retry-After'] : []),
      ...(status === 405 ? ['Allow'] : []),
      'X-Request-Id',
    ]),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleError(code) }])),
      },
    },
  };
}

/** The error body of a code, with the details that it carries. */
function exampleError(code: ErrorCode): unknown {
  const details = exampleDetails[code];
  const { message } = errorTable[code];
  return { error: details ? { code, message, details } : { code, message } };
}

const exampleDetails: Partial<Record<ErrorCode, unknown>> = {
  UNAUTHORIZED: { header: 'Authorization: Bearer <API_KEY>' },
  RATE_LIMIT_EXCEEDED: { limit: 1000, reset: '1768473000000' },
};

export const apiTags: TagObject[] = [
  { name: 'Testimonials', description: 'Read, push and moderate testimonials.' },
  { name: 'Spaces', description: 'A space groups the testimonials of one brand.' },
  { name: 'Webhooks', description: 'What the service sends to the endpoints of an account.' },
];

export const apiDescription = () => `Collect, moderate and publish testimonials.

Send an API key in the \`Authorization\` header: \`Bearer sk_live_…\`. Keys belong on a server, never in browser code. An account may make ${apiRequestLimit().requests.toLocaleString('en')} requests per hour, shared by all of its keys; every answer to an authenticated request says where it stands.

Errors have the body \`{ "error": { "code", "message", "details"? } }\`. Besides those listed with each operation: a path that does not exist answers 404 \`INVALID_ENDPOINT\`, as does a batch operation that is neither \`update\` nor \`delete\`, and a method that a path does not offer answers 405 \`METHOD_NOT_ALLOWED\`. GET operations answer HEAD too, without a body.

Every answer to a GET has an \`ETag\`. Send it as \`If-None-Match\` when you ask again: 304 means that nothing has changed, and costs next to nothing.

Unknown query parameters and body fields are ignored. Answers may gain fields; treat unknown ones as optional.`;

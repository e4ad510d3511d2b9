import type {
  HeaderObject,
  HeadersObject,
  ParameterObject,
  ResponseObject,
  SchemaObject,
  TagObject,
} from 'openapi3-ts/oas31';
import { maxBodyBytes, maxImportBytes, sizeOf } from '../../api/body';
import { type ErrorCode, errorTable } from '../../api/errors';
import { maxValues } from '../../api/json-values';
import { idempotencyKeyPattern } from '../../idempotency/key';
import { apiRequestLimit } from '../../rate-limit/limits';

/**
 * The body of every error (contract, section 7). Its code is open, so that a client made today takes
 * one that a later version adds. Of the ways to say so with the known ones beside it, this is the
 * one that every generator of clients turns into a plain string.
 */
export function errorSchema(codes: ErrorCode[]): SchemaObject {
  return {
    type: 'object',
    properties: {
      error: {
        type: 'object',
        properties: {
          code: {
            type: 'string',
            description: 'Decide by this; handle one that you do not know by the HTTP status.',
            examples: codes,
            'x-extensible-enum': codes,
          },
          message: { type: 'string', description: 'For people; may change.' },
          details: { description: 'What belongs to the code; the examples show it.' },
        },
        required: ['code', 'message'],
      },
    },
    required: ['error'],
    // No example: each response has those of its codes, which one of the schema would hide.
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
  'Retry-After': stringHeader('Seconds to wait before the next try.', '1800'),
  ETag: stringHeader(
    'Changes when a testimonial or a space of the account does. Send it as If-None-Match.',
    '"nM3Xk0pYt6bR2vQ8sL1wZc5dF7hJ9aG4eU0iO3yTqKE"',
  ),
  'Preference-Applied': {
    ...stringHeader('That Prefer was heeded; with no other answer.', 'handling=strict'),
    required: false,
  },
  'Idempotency-Replayed': {
    ...stringHeader(
      'This is what was answered to the Idempotency-Key before, and nothing was done; with no other answer.',
      'true',
    ),
    required: false,
  },
  Allow: stringHeader('The methods that the path offers.', 'GET, PATCH, DELETE, HEAD'),
  'WWW-Authenticate': stringHeader('How a key is sent.', 'Bearer'),
};

/** RFC 9110, section 13.1.2. */
export const ifNoneMatchParameter: ParameterObject = {
  in: 'header',
  name: 'If-None-Match',
  description: 'The ETag of the answer you have; where it is still current, you get a 304.',
  schema: { type: 'string' },
};

/** RFC 7240. */
export const preferParameter: ParameterObject = {
  in: 'header',
  name: 'Prefer',
  description:
    '`handling=strict` has unknown query parameters and body fields refused, which are ignored otherwise. The answer then has `Preference-Applied: handling=strict`.',
  schema: { type: 'string', examples: ['handling=strict'] },
};

/** draft-ietf-httpapi-idempotency-key-header. */
export const idempotencyKeyParameter: ParameterObject = {
  in: 'header',
  name: 'Idempotency-Key',
  description:
    'A name of your own for this request, such as a UUID; send it again with each retry. For 24 hours the same request under it gets the answer of the first, and is not done again.',
  schema: { type: 'string', minLength: 1, maxLength: 512, pattern: idempotencyKeyPattern },
  example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
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
      ...(status === 401 ? ['WWW-Authenticate'] : Object.keys(rateLimitHeaderObjects)),
      ...(status === 429 || status === 503 || codes.includes('IDEMPOTENCY_KEY_IN_USE')
        ? ['Retry-After']
        : []),
      ...(status === 405 ? ['Allow'] : []),
      ...(isBeforePrefer(status, codes) ? [] : ['Preference-Applied']),
      'X-Request-Id',
    ]),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ErrorResponse' },
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleError(code) }])),
      },
    },
  };
}

/** Whether it is answered before the Prefer header is looked at. */
function isBeforePrefer(status: number, codes: ErrorCode[]): boolean {
  return [401, 403, 405].includes(status) || codes.includes('INVALID_ENDPOINT');
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
  { name: 'Events', description: 'What happened to testimonials and spaces, in order.' },
  { name: 'Account', description: 'Whom a key belongs to, and what it may do.' },
  {
    name: 'Webhook endpoints',
    description: 'Where events are sent, and what became of each delivery.',
  },
  { name: 'Webhooks', description: 'What the service sends to the endpoints of an account.' },
];

export const apiDescription = () => `Collect, moderate and publish testimonials.

Send an API key in the \`Authorization\` header: \`Bearer sk_live_…\`. Keys belong on a server, never in browser code. An account may make ${apiRequestLimit().requests.toLocaleString('en')} requests per hour, shared by all of its keys; every answer to an authenticated request says where it stands. On 429 wait for the seconds in \`Retry-After\`: the hour is used up, or, where requests are left, too many large ones of the account wait already.

Errors have the body \`{ "error": { "code", "message", "details"? } }\`. A \`VALIDATION_ERROR\` does not say which field is wrong: the dashboard does, under "Requests", where the \`X-Request-Id\` of the answer finds it. Besides those listed with each operation: a path that does not exist answers 404 \`INVALID_ENDPOINT\`, as does a batch operation that is neither \`update\` nor \`delete\`, and a method that a path does not offer answers 405 \`METHOD_NOT_ALLOWED\`. What is too slow to arrive may be answered 408, and what has too long an address or headers 431, both \`VALIDATION_ERROR\`. GET operations answer HEAD too, without a body.

A body is JSON of at most ${sizeOf(maxBodyBytes)}, that of an import of at most ${sizeOf(maxImportBytes)}, and has at most ${maxValues.toLocaleString('en')} values, lists and objects counted. One with more of them is not read any further: it answers 400, also where it is not JSON, which else answers 500.

To read a whole list, begin with \`cursor=start\` and go on with \`cursor\` and the \`next_cursor\` of each page until it is null: a row that stays in its place comes exactly once, whatever is added or deleted meanwhile; one that moves, because what you filter or sort by changes, may be missed or come twice. The last page costs what the first does.

Every answer to a GET of testimonials or spaces has an \`ETag\`. Send it as \`If-None-Match\` when you ask again: 304 means that nothing has changed, and costs next to nothing.

Send an \`Idempotency-Key\` with a POST or PATCH, and the request can be tried again safely after a lost answer: the same key with the same request is done once within 24 hours, and answered with \`Idempotency-Replayed: true\` from then on. Errors are not kept: a key whose request failed can be used again. The same key with another request answers 422, and while the first is under way 409.

Unknown query parameters and body fields are ignored, or refused with 400 where you send \`Prefer: handling=strict\`: send it while you write a client, so that \`staus=approved\` does not list everything. Answers may gain fields; treat unknown ones as optional.

Generating a client, polling without gaps and receiving webhooks: \`docs/integrating.md\` beside the source.`;

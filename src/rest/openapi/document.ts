import type {
  ContentObject,
  OpenAPIObject,
  OperationObject,
  ReferenceObject,
  ResponseObject,
  ResponsesObject,
  SchemaObject,
} from 'openapi3-ts/oas31';
import { generateOpenApiDocument } from 'trpc-to-openapi';
import { version } from '../../../package.json';
import { type ErrorCode, errorTable } from '../../api/errors';
import { neededScopes } from '../../api/scopes';
import { env } from '../../env';
import { mountPath, type Operation, routes } from '../../operations';
import { appRouter } from '../../router';
import {
  apiDescription,
  apiTags,
  errorResponse,
  errorSchema,
  headerReferences,
  idempotencyKeyParameter,
  ifNoneMatchParameter,
  otherHeaderObjects,
  preferParameter,
  rateLimitHeaderObjects,
} from './parts';
import { tidySchemas } from './tidy';
import { webhooksSection } from './webhooks';

/** What operations share by name, and add to. */
type Components = {
  schemas: Record<string, SchemaObject | ReferenceObject>;
  responses: Record<string, ResponseObject>;
};

/** Errors of every operation, in the order in which they are checked. Contract, section 4. */
const commonErrors: ErrorCode[] = [
  'UNAUTHORIZED',
  'INVALID_API_KEY',
  'API_KEY_DISABLED',
  'API_KEY_EXPIRED',
  'RATE_LIMIT_EXCEEDED',
  'INSUFFICIENT_SCOPE',
  'VALIDATION_ERROR',
  'INTERNAL_ERROR',
];

/** Errors of requests that reach no operation. */
const otherErrors: ErrorCode[] = ['INVALID_ENDPOINT', 'METHOD_NOT_ALLOWED'];

let text: string | undefined;

/** The published OpenAPI 3.1 document as JSON, made on first use. */
export function openApiDocument(): string {
  text ??= JSON.stringify(buildDocument());
  return text;
}

/**
 * What trpc-to-openapi generates from the procedures, completed with what it cannot know: success
 * statuses, our errors, headers, scopes, named bodies, and the webhooks.
 */
function buildDocument(): OpenAPIObject {
  const publicUrl = env().PUBLIC_URL;
  const generated = generateOpenApiDocument(appRouter, {
    title: 'Testimonials API',
    version,
    description: apiDescription(),
    baseUrl: publicUrl ? new URL(mountPath, publicUrl).href : mountPath,
  });
  const operations = routes.flatMap((route) => [...route.operations.values()]);
  const codes = new Set([...operations.flatMap(errorsOf), ...otherErrors]);
  const { webhooks, components } = webhooksSection();
  const shared: Components = {
    schemas: {
      // The library's own error shapes, `error.…`, are replaced by ours.
      ...Object.fromEntries(
        Object.entries(generated.components?.schemas ?? {}).filter(
          ([name]) => !name.startsWith('error.'),
        ),
      ),
      ...components?.schemas,
      // Not `Error`, which would hide the language's own in a generated client.
      ErrorResponse: errorSchema([...codes]),
    },
    responses: {},
  };
  for (const { template, operations } of routes) {
    const item = generated.paths?.[template];
    for (const operation of operations.values()) {
      const object = item?.[methodKey(operation.method)];
      if (object) complete(object, operation, shared);
    }
  }
  errorResponses(otherErrors, shared);
  const document: OpenAPIObject = {
    ...generated,
    info: { ...generated.info, license: { name: 'MIT', identifier: 'MIT' } },
    tags: apiTags,
    security: [{ apiKey: [] }],
    webhooks,
    components: {
      ...shared,
      headers: { ...rateLimitHeaderObjects, ...otherHeaderObjects },
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key, `sk_live_` or `sk_test_` and 64 hex characters, made in the dashboard. Each operation names the scope it needs.',
        },
      },
    },
  };
  tidySchemas(document);
  return document;
}

function methodKey(method: string): 'get' | 'post' | 'patch' | 'delete' {
  if (method === 'GET') return 'get';
  if (method === 'POST') return 'post';
  return method === 'PATCH' ? 'patch' : 'delete';
}

function errorsOf(operation: Operation): ErrorCode[] {
  const { errors, method, takesBody, takesKey, needsRoom, scope } = operation;
  const common =
    scope === 'any' ? commonErrors.filter((code) => code !== 'INSUFFICIENT_SCOPE') : commonErrors;
  const listed: ErrorCode[] = [...common, ...errors];
  if (takesBody) listed.push('PAYLOAD_TOO_LARGE');
  // A body that there is no room for, or a row that others keep locked.
  if (method !== 'GET') listed.push('OVERLOADED');
  if (needsRoom) listed.push('QUOTA_EXCEEDED');
  if (takesKey) listed.push('IDEMPOTENCY_KEY_IN_USE', 'IDEMPOTENCY_KEY_REUSED');
  return listed;
}

function complete(object: OperationObject, operation: Operation, shared: Components): void {
  const { operationId, method, success, contentType, isConditional, takesKey } = operation;
  const name = operationId.charAt(0).toUpperCase() + operationId.slice(1);
  const scopes = neededScopes(operation.scope);
  object.security = [{ apiKey: [...scopes] }];
  object.description = `${object.description ?? ''} ${neededKey(scopes)}`.trim();
  const { requestBody, responses } = object;
  if (requestBody && 'content' in requestBody) {
    const schema = jsonSchema(requestBody.content);
    if (method === 'PATCH') schema.minProperties = 1;
    requestBody.required = !operation.isBodyOptional;
    requestBody.content = named(`${name}Request`, schema, shared);
  }
  object.parameters = [...(object.parameters ?? []), preferParameter];
  const headers = headerReferences([
    ...Object.keys(rateLimitHeaderObjects),
    'X-Request-Id',
    'Preference-Applied',
  ]);
  if (isConditional) {
    Object.assign(headers, headerReferences(['ETag']));
    object.parameters = [...object.parameters, ifNoneMatchParameter];
  }
  if (takesKey) {
    Object.assign(headers, headerReferences(['Idempotency-Replayed']));
    object.parameters = [...object.parameters, idempotencyKeyParameter];
  }
  const schema = () => {
    const { content } = responses?.['200'] ?? {};
    return operation.isEnveloped ? enveloped(content, shared) : jsonSchema(content);
  };
  object.responses = {
    [success]:
      success === 204
        ? { description: 'Done; there is no body.', headers }
        : {
            description: success === 201 ? 'Created.' : 'Success.',
            headers,
            content: contentType
              ? { [contentType.split(';', 1).join()]: { schema: schema() } }
              : // `…Response` is what generators call an answer with its status and headers.
                named(`${name}ResponseBody`, schema(), shared),
          },
    ...(isConditional && {
      304: { description: 'What If-None-Match names is still current.', headers },
    }),
    ...errorResponses(errorsOf(operation), shared),
  };
}

/** A sentence on the scopes that a key must have. */
function neededKey(scopes: ReturnType<typeof neededScopes>): string {
  if (scopes.length === 0) return 'Any key will do.';
  const names = scopes.map((scope) => `\`${scope}\``).join(' and ');
  return `Needs the scope${scopes.length > 1 ? 's' : ''} ${names}.`;
}

/** The answer whose `data` is what the procedure answers, with the example of that. */
function enveloped(content: ContentObject | undefined, { schemas }: Components): SchemaObject {
  const data = content?.['application/json']?.schema;
  const exampleOf = (schema: SchemaObject | ReferenceObject | undefined): unknown => {
    if (!schema) return undefined;
    const { $ref } = schema;
    if ($ref) return exampleOf(schemas[$ref.replace(/^.*\//, '')]);
    return 'items' in schema && schema.items
      ? [exampleOf(schema.items)]
      : 'examples' in schema && schema.examples?.[0];
  };
  if (!data) throw new Error('The generated document has an unknown shape');
  return {
    type: 'object',
    properties: { data },
    required: ['data'],
    examples: [{ data: exampleOf(data) }],
  };
}

function jsonSchema(content: ContentObject | undefined): SchemaObject {
  const schema = content?.['application/json']?.schema;
  if (!schema || '$ref' in schema) throw new Error('The generated document has an unknown shape');
  return schema;
}

/**
 * Moves a schema to the components, where generators of clients find a name for it. Its example
 * stands beside the reference too, where those who make requests of the document look for it.
 */
function named(name: string, schema: SchemaObject, shared: Components): ContentObject {
  shared.schemas[name] = schema;
  const $ref = `#/components/schemas/${name}`;
  return { 'application/json': { schema: { $ref }, example: schema.examples?.[0] } };
}

/** References to one shared response per status. */
function errorResponses(codes: ErrorCode[], shared: Components): ResponsesObject {
  const responses: ResponsesObject = {};
  for (const status of new Set(codes.map((code) => errorTable[code].status))) {
    const ofStatus = codes.filter((code) => errorTable[code].status === status);
    const name = responseName(status, ofStatus);
    shared.responses[name] ??= errorResponse(status, ofStatus);
    responses[String(status)] = { $ref: `#/components/responses/${name}` };
  }
  return responses;
}

/** `ValidationError` for the one code of a status; the statuses with several have names, or theirs joined. */
function responseName(status: number, codes: ErrorCode[]): string {
  if (status === 401) return 'Unauthorized';
  if (status === 403) return 'Forbidden';
  if (status === 413 && codes.length > 1) return 'TooLarge';
  if (codes.length > 1 && status !== 409) {
    throw new Error(`Status ${status} has no name for its response`);
  }
  return codes
    .map((code) =>
      code.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase()),
    )
    .join('Or');
}

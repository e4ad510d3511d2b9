import type {
  ContentObject,
  HeadersObject,
  OpenAPIObject,
  OperationObject,
  ReferenceObject,
  ResponsesObject,
  SchemaObject,
} from 'openapi3-ts/oas31';
import { generateOpenApiDocument } from 'trpc-to-openapi';
import { type ErrorCode, errorTable } from './errors';
import {
  apiDescription,
  exampleError,
  otherHeaderObjects,
  rateLimitHeaderObjects,
  webhooksAndErrors,
} from './openapi-parts';
import { type Operation, routes } from './operations';
import { appRouter } from './router';

type Schemas = Record<string, SchemaObject | ReferenceObject>;

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
  const generated = generateOpenApiDocument(appRouter, {
    title: 'Testimonials API',
    version: '1.0.0',
    description: apiDescription,
    baseUrl: '/api/v1',
    tags: ['Testimonials', 'Spaces', 'Webhooks'],
  });
  const { webhooks, components } = webhooksAndErrors();
  // The library's own error shapes, `error.…`, are replaced by ours.
  const schemas: Schemas = Object.fromEntries(
    Object.entries({ ...generated.components?.schemas, ...components?.schemas }).filter(
      ([name]) => !name.startsWith('error.'),
    ),
  );
  for (const { template, operations } of routes) {
    const item = generated.paths?.[template];
    for (const operation of operations.values()) {
      const object = item?.[methodKey(operation.method)];
      if (object) complete(object, operation, schemas);
    }
  }
  openObjects(generated.paths);
  openObjects(schemas);
  return {
    ...generated,
    webhooks,
    components: {
      schemas,
      headers: { ...rateLimitHeaderObjects, ...otherHeaderObjects },
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key, `sk_live_` and 64 hex characters, made in the dashboard. Each operation names the scope it needs.',
        },
      },
    },
  };
}

function methodKey(method: string): 'get' | 'post' | 'patch' | 'delete' {
  if (method === 'GET') return 'get';
  if (method === 'POST') return 'post';
  return method === 'PATCH' ? 'patch' : 'delete';
}

function complete(object: OperationObject, operation: Operation, schemas: Schemas): void {
  const { operationId, method, scope, success, takesBody, errors } = operation;
  const name = operationId.charAt(0).toUpperCase() + operationId.slice(1);
  object.security = [{ apiKey: [scope] }];
  object.description = `${object.description ?? ''} Needs the scope \`${scope}\`.`.trim();
  const { requestBody, responses } = object;
  if (requestBody && 'content' in requestBody) {
    const schema = jsonSchema(requestBody.content);
    if (method === 'PATCH') schema.minProperties = 1;
    requestBody.content = named(`${name}Request`, schema, schemas);
  }
  const headers = headerReferences([...Object.keys(rateLimitHeaderObjects), 'X-Request-Id']);
  object.responses = {
    [success]:
      success === 204
        ? { description: 'Done; there is no body.', headers }
        : {
            description: success === 201 ? 'Created.' : 'Success.',
            headers,
            content: named(`${name}Response`, jsonSchema(responses?.['200']?.content), schemas),
          },
    ...errorResponses([
      ...commonErrors,
      ...errors,
      ...(takesBody ? (['PAYLOAD_TOO_LARGE'] as const) : []),
    ]),
  };
}

function jsonSchema(content: ContentObject | undefined): SchemaObject {
  const schema = content?.['application/json']?.schema;
  if (!schema || '$ref' in schema) throw new Error('The generated document has an unknown shape');
  return schema;
}

/** Moves a schema to the components, where generators of clients find a name for it. */
function named(name: string, schema: SchemaObject, schemas: Schemas): ContentObject {
  schemas[name] = schema;
  return { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } };
}

/** One response per status, with an example for every code that has it. */
function errorResponses(codes: ErrorCode[]): ResponsesObject {
  const responses: ResponsesObject = {};
  for (const status of new Set(codes.map((code) => errorTable[code].status))) {
    const ofStatus = codes.filter((code) => errorTable[code].status === status);
    responses[String(status)] = {
      description: ofStatus.map((code) => `\`${code}\`: ${errorTable[code].message}`).join(' '),
      headers: headerReferences([
        // An unauthenticated request counts nowhere.
        ...(status === 401 ? [] : Object.keys(rateLimitHeaderObjects)),
        ...(status === 429 ? ['Retry-After'] : []),
        'X-Request-Id',
      ]),
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Error' },
          examples: Object.fromEntries(
            ofStatus.map((code) => [code, { value: exampleError(code) }]),
          ),
        },
      },
    };
  }
  return responses;
}

function headerReferences(names: string[]): HeadersObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/**
 * Takes out every `additionalProperties: false`: unknown input is ignored, and answers may gain
 * fields (contract, section 9).
 */
function openObjects(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  if ('additionalProperties' in node && node.additionalProperties === false) {
    delete node.additionalProperties;
  }
  for (const child of Object.values(node)) openObjects(child);
}

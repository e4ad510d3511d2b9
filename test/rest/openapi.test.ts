import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
import type {
  OperationObject,
  ParameterObject,
  RequestBodyObject,
  ResponseObject,
} from 'openapi3-ts/oas31';
import { version } from '@/package.json';
import { createAccount, createKey } from '../helpers/accounts';
import { send } from '../helpers/client';
import { expectError } from '../helpers/expectations';
import { document, operationOf, resolve } from './conformance';
import { allOperations, neededScopes, operationCases, scopelessOperations } from './contract';
import type { ApiOperation } from './operation';

const schemas = Object.keys(document.components?.schemas ?? {});

function operationAt(template: string, method: string): OperationObject {
  const operation = operationOf(template, method);
  if (!operation) throw new Error(`${method} ${template} is missing`);
  return operation;
}

function responsesOf(operation: OperationObject): [number, ResponseObject][] {
  return Object.entries(operation.responses ?? {}).map(([status, reference]) => [
    Number(status),
    resolve<ResponseObject>(reference) ?? { description: 'missing' },
  ]);
}

const contractErrors = {
  400: ['VALIDATION_ERROR'],
  401: ['UNAUTHORIZED', 'INVALID_API_KEY'],
  403: ['API_KEY_DISABLED', 'API_KEY_EXPIRED', 'INSUFFICIENT_SCOPE'],
  429: ['RATE_LIMIT_EXCEEDED'],
  500: ['INTERNAL_ERROR'],
};

/** What may not be found, by operation (contract, section 7). */
const notFound: Record<string, string> = {
  'POST /testimonials': 'SPACE_NOT_FOUND',
  'GET /testimonials/{id}': 'TESTIMONIAL_NOT_FOUND',
  'PATCH /testimonials/{id}': 'TESTIMONIAL_NOT_FOUND',
  'DELETE /testimonials/{id}': 'TESTIMONIAL_NOT_FOUND',
  'GET /spaces/{id}': 'SPACE_NOT_FOUND',
  'PATCH /spaces/{id}': 'SPACE_NOT_FOUND',
  'GET /events/{id}': 'EVENT_NOT_FOUND',
  'GET /webhook-endpoints/{id}': 'WEBHOOK_ENDPOINT_NOT_FOUND',
  'PATCH /webhook-endpoints/{id}': 'WEBHOOK_ENDPOINT_NOT_FOUND',
  'DELETE /webhook-endpoints/{id}': 'WEBHOOK_ENDPOINT_NOT_FOUND',
  'POST /webhook-endpoints/{id}/test': 'WEBHOOK_ENDPOINT_NOT_FOUND',
  'POST /webhook-endpoints/{id}/rotate-secret': 'WEBHOOK_ENDPOINT_NOT_FOUND',
  'GET /webhook-deliveries/{id}': 'DELIVERY_NOT_FOUND',
};

/** What stands in the way of what, by operation. */
const conflicts: Record<string, string[]> = {
  'POST /webhook-endpoints': ['LIMIT_EXCEEDED'],
  'POST /webhook-endpoints/{id}/test': ['WEBHOOK_ENDPOINT_PAUSED'],
};

const needsRoom = (operation: ApiOperation) =>
  operation.needsRoom !== false && neededScopes(operation).includes('write');

/** What else only one operation answers. */
const otherErrors: Record<string, Record<number, string[]>> = {
  'GET /events': { 410: ['CURSOR_EXPIRED'], 503: ['OVERLOADED'] },
};

describe('the published document', () => {
  test('is answered without a key, to browsers too, and is what is tested here', async () => {
    const answer = await send('GET', '/openapi.json');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch('application/json');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.has('x-ratelimit-limit')).toBe(false);
    expect(answer.body).toEqual(document);
    const head = await send('HEAD', '/openapi.json');
    expect([head.status, head.text]).toEqual([200, '']);
  });

  test.each(['PUT', 'POST', 'PATCH', 'DELETE'])(
    'can only be read: %s is answered 405',
    async (method) => {
      const key = await createKey(await createAccount());
      const answer = await send(method, '/openapi.json', { key });
      expectError(answer, 405, 'METHOD_NOT_ALLOWED');
      expect(answer.headers.get('allow')).toBe('GET, HEAD');
      expect(answer.headers.has('x-ratelimit-limit')).toBe(true);
      expectError(await send(method, '/openapi.jsonx', { key }), 404, 'INVALID_ENDPOINT');
    },
  );

  test('is OpenAPI 3.1, in the version of the package', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.info.version).toBe(version);
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  test('is valid to an independent validator', async () => {
    const copy = structuredClone(document);
    expect(await new Validator().validate(copy as never)).toEqual({ valid: true });
  });

  test('can be written to standard output', async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', 'src/cli/openapi.ts'],
      { env: { ...process.env, PUBLIC_URL: 'https://testimonials.example' } },
    );
    expect(JSON.parse(stdout)).toEqual({
      ...document,
      servers: [{ url: 'https://testimonials.example/api/v1' }],
    });
  });

  test('has the twelve operations of the contract, ours, and no other', () => {
    const documented = Object.entries(document.paths ?? {}).flatMap(([template, item]) =>
      Object.keys(item).map((verb) => `${verb.toUpperCase()} ${template}`),
    );
    expect(documented.sort()).toEqual(
      [...allOperations.map(nameOf), ...scopelessOperations].sort(),
    );
    const ids = allOperations.map((o) => operationAt(o.template, o.method).operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each(operationCases)('%s has its scope, success, headers and errors', (name, operation) => {
    const object = operationAt(operation.template, operation.method);
    expect(object.security).toEqual([{ apiKey: neededScopes(operation) }]);
    expect(object.summary).toBeTruthy();
    const responses = new Map(responsesOf(object));
    const success = responses.get(operation.success);
    expect(Object.keys(success?.headers ?? {})).toEqual(
      expect.arrayContaining(['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']),
    );
    expect(Boolean(success?.content)).toBe(operation.success !== 204);
    const errors = Object.fromEntries(
      [...responses]
        .filter(([status]) => status >= 400)
        .map(([status, { content }]) => [
          status,
          Object.keys(content?.['application/json']?.examples ?? {}),
        ]),
    );
    expect(errors).toEqual({
      ...contractErrors,
      ...(notFound[name] && { 404: [notFound[name]] }),
      ...otherErrors[name],
      ...(operation.method !== 'GET' && { 503: ['OVERLOADED'] }),
      ...(['POST', 'PATCH'].includes(operation.method) && {
        413: ['PAYLOAD_TOO_LARGE', ...(needsRoom(operation) ? ['QUOTA_EXCEEDED'] : [])],
        409: [...(conflicts[name] ?? []), 'IDEMPOTENCY_KEY_IN_USE'],
        422: ['IDEMPOTENCY_KEY_REUSED'],
      }),
    });
    expect(Object.keys(responses.get(429)?.headers ?? {})).toContain('Retry-After');
  });

  test('names the schema of every body', () => {
    for (const operation of allOperations) {
      const object = operationAt(operation.template, operation.method);
      const request = resolve<RequestBodyObject>(object.requestBody);
      for (const { content } of [request, ...responsesOf(object).map(([, one]) => one)].flatMap(
        (part) => part ?? [],
      )) {
        if (!content) continue;
        expect(content['application/json']?.schema).toHaveProperty('$ref');
      }
      if (request) expect(request.required).toBe(!operation.isBodyOptional);
    }
    expect(schemas).toEqual(
      expect.arrayContaining(['Testimonial', 'Space', 'Pagination', 'ErrorResponse']),
    );
    // It would hide the language's own in a generated client.
    expect(schemas).not.toContain('Error');
    // What generators call things of their own, by the operation.
    const taken = allOperations.flatMap(({ template, method }) => {
      const { operationId = '' } = operationAt(template, method);
      const name = operationId.charAt(0).toUpperCase() + operationId.slice(1);
      return ['Body', 'Data', 'Error', 'Params', 'Response', 'Result'].map((end) => name + end);
    });
    expect(schemas.filter((schema) => taken.includes(schema))).toEqual([]);
  });

  test.each([404, 405, 408, 431])(
    'says when what reaches no operation is answered %i',
    (status) => {
      expect(document.info.description).toContain(` ${status}`);
    },
  );

  test('describes every parameter', () => {
    for (const { template, method } of allOperations) {
      for (const reference of operationAt(template, method).parameters ?? []) {
        const parameter = resolve<ParameterObject>(reference);
        expect(parameter?.description).toBeTruthy();
        expect(parameter?.required ?? false).toBe(parameter?.in === 'path');
      }
    }
  });

  test('lists the query parameters of the contract, with their defaults and bounds', () => {
    const parameters = (operationAt('/testimonials', 'GET').parameters ?? []).map((reference) => {
      const { name, schema } = resolve<ParameterObject>(reference) ?? { name: 'missing' };
      return [name, schema];
    });
    expect(Object.fromEntries(parameters)).toMatchObject({
      space_id: { type: 'string', format: 'uuid' },
      status: { enum: ['pending', 'approved', 'rejected'] },
      type: { enum: ['text', 'video'] },
      rating: { type: 'integer', minimum: 1, maximum: 5 },
      search: { type: 'string' },
      date_from: { type: 'string', format: 'date-time' },
      date_to: { type: 'string', format: 'date-time' },
      limit: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
      offset: { type: 'integer', minimum: 0, default: 0 },
      sort_by: { enum: ['created_at', 'updated_at', 'rating', 'shares'], default: 'created_at' },
      sort_order: { enum: ['asc', 'desc'], default: 'desc' },
    });
  });

  test('asks for a key everywhere, but not of the webhooks that it sends', () => {
    expect(document.security).toEqual([{ apiKey: [] }]);
    for (const reference of Object.values(document.webhooks ?? {})) {
      expect(resolve(reference)?.post?.security).toEqual([]);
    }
  });
});

function nameOf({ method, template }: { method: string; template: string }): string {
  return `${method} ${template}`;
}

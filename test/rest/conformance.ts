import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type {
  HeaderObject,
  OpenAPIObject,
  OperationObject,
  ParameterObject,
  ReferenceObject,
  ResponseObject,
  SchemaObject,
} from 'openapi3-ts/oas31';
import { openApiDocument } from '@/src/rest/openapi/document';
import { type Answer, type SendOptions, send } from '../helpers/client';

/** The document as it is published. */
export const document: OpenAPIObject = JSON.parse(openApiDocument());

const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
addFormats(ajv);
// What a schema's references start from is the whole document; "components" is all they need of it.
// The other two tell generators of clients something, and validators nothing.
ajv.addVocabulary(['components', 'discriminator', 'x-extensible-enum']);
ajv.addSchema({ components: document.components }, 'published');
ajv.addSchema({ components: closed(document.components) }, 'closed');

/** The validator of what stands at a JSON pointer of the published document. */
export function validatorAt(pointer: string): ValidateFunction {
  return compiled(`published#${pointer}`);
}

/** The same, but of objects that have no other fields than those the document names. */
export function exactValidatorAt(pointer: string): ValidateFunction {
  return compiled(`closed#${pointer}`);
}

/** Sends a request, and fails unless the published document describes the answer. */
export async function sendDescribed(
  method: string,
  path: string,
  options: SendOptions,
): Promise<Answer> {
  const answer = await send(method, path, options);
  expectDescribed(method, path, answer);
  return answer;
}

/**
 * Fails unless the published document describes this answer of this request: its status, its
 * headers, its body down to the last field, and the error code among those that the status lists.
 */
export function expectDescribed(method: string, path: string, answer: Answer): void {
  const { status, headers, text, body } = answer;
  const where = `${method} ${path} → ${status} ${text.slice(0, 500)}`;
  const response = responseFor(method, path, status);
  if (!response) throw new Error(`The document knows no such answer: ${where}`);
  const problems = [
    ...headerProblems(response, headers, status),
    ...(method === 'HEAD' ? [] : bodyProblems(response, headers, text, body)),
  ];
  if (problems.length > 0) throw new Error(`${where}\n${problems.join('\n')}`);
}

function responseFor(method: string, path: string, status: number): ResponseObject | undefined {
  const pathname = path.replace(/\?.*$/s, '').replace(/(.)\/$/, '$1');
  const templates = Object.keys(document.paths ?? {});
  // A literal path before one with a parameter, as OpenAPI has it.
  const template =
    templates.find((candidate) => candidate === pathname) ??
    templates.find((candidate) =>
      new RegExp(`^${candidate.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
    );
  const operation = operationOf(template ?? '', method);
  if (operation) return resolve<ResponseObject>(operation.responses?.[String(status)]);
  const { responses } = document.components ?? {};
  const others: Record<number, string> = {
    401: 'Unauthorized',
    403: 'Forbidden',
    429: 'RateLimitExceeded',
    ...(template ? { 405: 'MethodNotAllowed' } : { 404: 'InvalidEndpoint' }),
  };
  return resolve<ResponseObject>(responses?.[others[status] ?? '']);
}

/** The operation of a method of a path, as it stands in the document. HEAD is that of GET. */
export function operationOf(template: string, method: string): OperationObject | undefined {
  const verb = (method === 'HEAD' ? 'GET' : method).toLowerCase();
  const item = Object.entries(document.paths?.[template] ?? {});
  return item.find(([name]) => name === verb)?.[1];
}

/** A component schema, by its name. */
export function schemaOf(name: string): SchemaObject | undefined {
  return resolve<SchemaObject>(document.components?.schemas?.[name]);
}

/** Whether a value, as a query or a path writes it, is one that a parameter's schema allows. */
export function isParameter(schema: ParameterObject['schema'], value: string): boolean {
  const isInteger = schema && 'type' in schema && schema.type === 'integer';
  if (isInteger && !/^-?\d+$/.test(value)) return false;
  return schema !== undefined && ajv.validate(schema, isInteger ? Number(value) : value);
}

/** What HTTP itself, caches and browsers are told, whatever the operation. */
const ofEveryAnswer =
  /^(access-control-.*|cache-control|connection|content-(length|type)|date|keep-alive|transfer-encoding|x-content-type-options)$/;

function headerProblems(response: ResponseObject, headers: Headers, status: number): string[] {
  const described = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase());
  const problems: string[] = [];
  for (const [name, reference] of Object.entries(response.headers ?? {})) {
    const value = headers.get(name);
    const { schema, required = true } = resolve<HeaderObject>(reference) ?? {};
    // Of an error, those of a request that was refused before it counted are missing.
    if (value === null && required && status < 400) problems.push(`lacks the header ${name}`);
    if (value !== null && schema && !ajv.validate(schema, value)) problems.push(`bad ${name}`);
  }
  for (const [name] of headers) {
    if (!ofEveryAnswer.test(name) && !described.includes(name)) {
      problems.push(`undescribed header ${name}`);
    }
  }
  return problems;
}

function bodyProblems(
  response: ResponseObject,
  headers: Headers,
  text: string,
  body: unknown,
): string[] {
  const [[type, media] = []] = Object.entries(response.content ?? {});
  if (!media) return text === '' && !headers.has('content-type') ? [] : ['has a body'];
  const given = headers.get('content-type');
  if (type !== 'application/json') return given?.split(';', 1)[0] === type ? [] : ['bad type'];
  if (given !== 'application/json; charset=utf-8') return ['bad type'];
  const { schema, examples } = media;
  if (!schema || !('$ref' in schema)) return ['has no named schema'];
  const validate = compiled(`closed${schema.$ref}`);
  if (!validate(body)) return [JSON.stringify(validate.errors)];
  const code = examples && isError(body) ? body.error.code : undefined;
  return code && examples && !(code in examples) ? [`${code} is not listed`] : [];
}

function isError(body: unknown): body is { error: { code: string } } {
  return typeof body === 'object' && body !== null && 'error' in body;
}

function compiled(reference: string): ValidateFunction {
  const validate = ajv.getSchema(reference);
  if (!validate) throw new Error(`Nothing to validate with at ${reference}`);
  return validate;
}

/** What a reference within the document points to. */
export function resolve<T extends object>(node: T | ReferenceObject | undefined): T | undefined {
  if (!node || !('$ref' in node)) return node;
  let found: unknown = document;
  for (const step of node.$ref.slice(2).split('/')) {
    found = typeof found === 'object' && found !== null ? Reflect.get(found, step) : undefined;
  }
  return found as T | undefined;
}

/** A copy in which an object has no other fields than those it names. */
function closed(node: OpenAPIObject['components']): OpenAPIObject['components'] {
  return JSON.parse(JSON.stringify(node), (_, value) =>
    value?.type === 'object' && value.properties
      ? { ...value, additionalProperties: false }
      : value,
  );
}

import type {
  ContentObject,
  OpenAPIObject,
  OperationObject,
  ParameterObject,
  ReferenceObject,
  ResponseObject,
  SchemaObject,
} from 'openapi3-ts/oas31';
import { bodyFields, type Field, resolveSchema, toField } from './fields';

export type Parameter = Field & {
  in: ParameterObject['in'];
  /** What it can be, where that is a short list. */
  options: string[];
};

type Body = { fields: Field[]; example: string };

export type Answer = { status: string; description: string; body?: Body };

export type Operation = {
  id: string;
  title: string;
  description: string;
  method: string;
  /** With its parameters in braces, below the base address; of a webhook, the type of its event. */
  path: string;
  parameters: Parameter[];
  body?: Body;
  answers: Answer[];
};

export type Section = { title: string; description: string; operations: Operation[] };

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** The document as it is read: by tags, in their order, everything that is referred to in place. */
export function readSections(document: OpenAPIObject): Section[] {
  const items = [
    ...Object.entries(document.paths ?? {}),
    ...Object.entries(document.webhooks ?? {}),
  ].flatMap(([path, item]) => ('$ref' in item ? [] : [{ path, item }]));
  const tagged = items.flatMap(({ path, item }) =>
    methods.flatMap((method) => {
      const object = item[method];
      return object
        ? [{ tag: object.tags?.[0], operation: read(document, method, path, object) }]
        : [];
    }),
  );
  return (document.tags ?? []).map(({ name, description = '' }) => ({
    title: name,
    description,
    operations: tagged.filter(({ tag }) => tag === name).map(({ operation }) => operation),
  }));
}

function read(
  document: OpenAPIObject,
  method: string,
  path: string,
  object: OperationObject,
): Operation {
  const { requestBody } = object;
  const content = requestBody && 'content' in requestBody ? requestBody.content : undefined;
  return {
    id: object.operationId ?? `${method}${path}`,
    title: object.summary ?? path,
    description: object.description ?? '',
    method: method.toUpperCase(),
    path,
    parameters: (object.parameters ?? []).flatMap((parameter) =>
      '$ref' in parameter ? [] : [readParameter(document, parameter)],
    ),
    body: readBody(document, content),
    answers: Object.entries<ResponseObject | ReferenceObject>(object.responses ?? {}).map(
      ([status, response]) => readAnswer(document, status, response),
    ),
  };
}

function readParameter(document: OpenAPIObject, parameter: ParameterObject): Parameter {
  const schema = parameter.schema ?? {};
  const isRequired = parameter.required ?? false;
  const field = toField(document, parameter.name, schema, { isRequired });
  return {
    ...field,
    description: parameter.description ?? field.description,
    in: parameter.in,
    options: (resolveSchema(document, schema).enum ?? []).map(String),
  };
}

function readAnswer(
  document: OpenAPIObject,
  status: string,
  response: ResponseObject | ReferenceObject,
): Answer {
  if ('$ref' in response) {
    const target = document.components?.responses?.[response.$ref.split('/').at(-1) ?? ''];
    return target ? readAnswer(document, status, target) : { status, description: '' };
  }
  const { description, content } = response;
  // All failures have the same body: their codes and texts are in the description.
  const body = /^2/.test(status) ? readBody(document, content) : undefined;
  return { status, description, body };
}

function readBody(document: OpenAPIObject, content: ContentObject | undefined): Body | undefined {
  const media = content?.['application/json'];
  if (!media?.schema) return undefined;
  const example: unknown = media.example ?? exampleOf(resolveSchema(document, media.schema));
  return {
    fields: bodyFields(document, media.schema),
    example: example === undefined ? '' : JSON.stringify(example, null, 2),
  };
}

function exampleOf(schema: SchemaObject): unknown {
  return schema.examples?.[0] ?? schema.example;
}

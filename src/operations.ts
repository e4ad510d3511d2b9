import type { AnyTRPCProcedure } from '@trpc/server';
import { z } from 'zod';
import type { ErrorCode } from './api/errors';
import type { RequiredScope } from './api/scopes';
import { type Meta, needsRoom } from './api/trpc';
import { appRouter } from './router';

/** Where the REST API is mounted. */
export const mountPath = '/api/v1';

/** One method of one path of the contract. */
export type Operation = {
  operationId: string;
  procedure: AnyTRPCProcedure;
  method: string;
  scope: RequiredScope;
  success: 200 | 201 | 204;
  /** What it may answer besides the errors that every operation has. */
  errors: ErrorCode[];
  takesBody: boolean;
  /** Whether there may be none. */
  isBodyOptional: boolean;
  /** Whether it is refused where the account is full. */
  needsRoom: boolean;
  /** Whether an Idempotency-Key counts: its answer is kept, and what it writes done once. */
  takesKey: boolean;
  /** Whether what the procedure answers is the answer's `data`, and not the whole of it. */
  isEnveloped: boolean;
  /** Whether the answer tells a secret. */
  isSecret: boolean;
  /** Of success, where it is no JSON. */
  contentType: string | undefined;
  /** Whether success has an entity tag and is kept: a read of what the account's version stands for. */
  isConditional: boolean;
  /** Of its path. */
  parameters: string[];
  /** Query parameters or body fields, without those of the path, and how a query writes them. */
  fields: Map<string, 'integer' | 'text'>;
  /** Of those that take one of several words: these. */
  words: Map<string, ReadonlySet<string>>;
};

/** One path, with the operations it offers. */
export type Route = {
  /** As in the published document: `/testimonials/{id}`. */
  template: string;
  pattern: RegExp;
  cors: boolean;
  /** By method, in the order of declaration. */
  operations: Map<string, Operation>;
};

/** tRPC keeps procedures as functions with their definition on them. */
const declaredProcedure = z.custom<AnyTRPCProcedure>((value) => typeof value === 'function');

const procedureMeta = z.custom<Meta | undefined>();

/** Everything mounted at `/api/v1`, read once from the procedures' metadata. */
export const routes: Route[] = collectRoutes(appRouter._def.procedures);

/** Every operation by its method and template: `GET /testimonials/{id}`. */
export const operationNames: string[] = routes
  .flatMap(({ template, operations }) =>
    [...operations.keys()].map((method) => `${method} ${template}`),
  )
  .sort();

/** The route of a path below `/api/v1`, a trailing slash being of no account. */
export const findRoute = createFinder(routes);

/** Finds the route of a path: a literal segment goes before a parameter, whatever was declared first. */
function createFinder(declared: Route[]): (path: string) => Route | undefined {
  const literal = new Map<string, Route>();
  for (const route of declared)
    if (!route.template.includes('{')) literal.set(route.template, route);
  // Sorts after every character of a path.
  const specificity = ({ template }: Route) => template.replace(/\{\w+\}/g, '\uffff');
  const withParameters = declared
    .filter(({ template }) => !literal.has(template))
    .sort((a, b) => (specificity(a) < specificity(b) ? -1 : 1));
  return (path) => {
    const exact = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
    return literal.get(exact) ?? withParameters.find(({ pattern }) => pattern.test(exact));
  };
}

/** The methods a route offers, as an Allow header lists them. */
export function allowedMethods(route: Route): string {
  const methods = [...route.operations.keys()];
  if (route.operations.has('GET')) methods.push('HEAD');
  if (route.cors) methods.push('OPTIONS');
  return methods.join(', ');
}

/** The routes of procedures, which a router keeps under their full names. */
function collectRoutes(procedures: Record<string, unknown>): Route[] {
  const byTemplate = new Map<string, Route>();
  for (const [name, declared] of Object.entries(procedures)) {
    const procedure = declaredProcedure.parse(declared);
    const meta = procedureMeta.parse(procedure._def.meta);
    if (!meta?.openapi) continue;
    const { method, path: template } = meta.openapi;
    const operation = operationOf(name, procedure, { ...meta, openapi: meta.openapi });
    const route = byTemplate.get(template) ?? {
      template,
      pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`),
      cors: meta.cors ?? false,
      operations: new Map(),
    };
    byTemplate.set(template, route);
    route.operations.set(method, operation);
  }
  return [...byTemplate.values()];
}

/** @throws Error where the procedure of this name lacks what every operation says of itself */
function operationOf(
  name: string,
  procedure: AnyTRPCProcedure,
  meta: Meta & Required<Pick<Meta, 'openapi'>>,
): Operation {
  const { method, path: template, operationId } = meta.openapi;
  if (!meta.scope || !meta.success || !operationId) {
    throw new Error(`${name} lacks its scope, success status or operation id`);
  }
  const shape = inputShape(unwrap(procedure._def.inputs[0]));
  const takesBody = method !== 'GET' && method !== 'DELETE';
  const fields = fieldsOf(shape, template);
  // What is no JSON answers 500, and so would every request that rightly says nothing.
  if (takesBody && fields.size === 0 && !meta.isBodyOptional) {
    throw new Error(`${name} takes no field in a body and lacks isBodyOptional`);
  }
  return {
    operationId,
    procedure,
    method,
    scope: meta.scope,
    success: meta.success,
    errors: meta.errors ?? [],
    takesBody,
    isBodyOptional: meta.isBodyOptional ?? false,
    needsRoom: needsRoom(meta),
    takesKey: takesBody && !meta.contentType,
    isEnveloped: meta.isEnveloped ?? false,
    isSecret: meta.isSecret ?? false,
    contentType: meta.contentType,
    isConditional: method === 'GET' && !meta.contentType && (meta.conditional ?? true),
    parameters: [...template.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter),
    fields,
    words: wordsOf(shape),
  };
}

/** Of fields that take one of several words, these. */
function wordsOf(shape: Record<string, unknown>): Operation['words'] {
  return new Map(
    Object.entries(shape).flatMap(([field, schema]) => {
      const inner = unwrap(schema);
      return inner instanceof z.ZodEnum ? [[field, new Set(inner.options.map(String))]] : [];
    }),
  );
}

/** Query parameters or body fields: all of the input that is not in the path. */
function fieldsOf(shape: Record<string, unknown>, template: string): Operation['fields'] {
  const beside = Object.entries(shape).filter(([field]) => !template.includes(`{${field}}`));
  return new Map(
    beside.map(([field, schema]) => [
      field,
      unwrap(schema) instanceof z.ZodNumber ? 'integer' : 'text',
    ]),
  );
}

function inputShape(input: unknown): Record<string, unknown> {
  if (!(input instanceof z.ZodObject))
    throw new Error('The input of an operation must be an object');
  return input.shape;
}

function unwrap(schema: unknown): unknown {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? unwrap(schema.unwrap())
    : schema;
}

import type { ParameterObject, SchemaObject } from 'openapi3-ts/oas31';
import { isParameter, operationOf, resolve, schemaOf, validatorAt } from './conformance';

/** A request as it goes out. `raw` is its body, where the operation takes one. */
export type Sent = {
  method: string;
  template: string;
  id: string;
  path: string;
  query: [name: string, value: string][];
  raw?: string;
};

/** What a body is, whatever an operation makes of it. */
export function formOf(raw: string): 'object' | 'other JSON' | 'no JSON' {
  try {
    const value: unknown = JSON.parse(raw);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? 'object' : 'other JSON';
  } catch {
    return 'no JSON';
  }
}

/**
 * Whether the published document lets a request through, and nothing in it is text that cannot be
 * stored. The service must see it the same way: 400 exactly where this is false.
 */
export function isValid(sent: Sent): boolean {
  const operation = operationOf(sent.template, sent.method);
  const parameters = (operation?.parameters ?? []).map((one) => resolve<ParameterObject>(one));
  const areParametersValid = parameters.every((parameter) => {
    if (!parameter) return true;
    const { name } = parameter;
    const given = parameter.in === 'path' ? [[name, sent.id] as const] : sent.query;
    const values = given.filter(([known]) => known === name).map(([, value]) => value);
    return areValuesValid(name, values, parameter.schema);
  });
  if (!areParametersValid || sent.raw === undefined) return areParametersValid;
  return formOf(sent.raw) === 'object' && isBodyValid(sent.raw, operation?.operationId ?? '');
}

function areValuesValid(
  name: string,
  values: string[],
  schema: ParameterObject['schema'],
): boolean {
  const [value] = values;
  if (value === undefined) return true;
  if (values.length > 1) return false;
  // Searching for nothing is no filter.
  if (value === '') return name === 'search';
  return isParameter(schema, value) && isStorable(value);
}

function isBodyValid(raw: string, operationId: string): boolean {
  const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Request`;
  const schema: SchemaObject | undefined = schemaOf(name);
  const value: Record<string, unknown> = JSON.parse(raw);
  const known = Object.fromEntries(
    Object.entries(value).filter(([field]) => Object.hasOwn(schema?.properties ?? {}, field)),
  );
  return validatorAt(`/components/schemas/${name}`)(known) && isStorable(known);
}

/** JSON escapes NUL, and the halves of surrogate pairs that stand alone; nothing else so. */
function isStorable(value: unknown): boolean {
  return !/\\u(?:0000|d[89a-f])/.test(JSON.stringify(value).replaceAll('\\\\', ''));
}

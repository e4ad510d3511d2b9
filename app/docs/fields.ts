import type { OpenAPIObject, ReferenceObject, SchemaObject } from 'openapi3-ts/oas31';

/** One line of a table of fields, and the lines below it. */
export type Field = {
  name: string;
  /** `string (uuid) or null`, `array of integer`, `text | video`. */
  type: string;
  isRequired: boolean;
  description: string;
  /** `1 to 5`, `at most 100 characters`, `50 unless given`. */
  limits: string[];
  fields: Field[];
};

type Schema = SchemaObject | ReferenceObject;

/** Deeper ones show their type only, so that a schema that contains itself has an end. */
const deepestLevel = 5;

/** The fields of a body, or of each choice where a body is one of several. */
export function bodyFields(document: OpenAPIObject, schema: Schema, level = 1): Field[] {
  const resolved = resolveSchema(document, schema);
  if (level > deepestLevel) return [];
  if (resolved.items) return bodyFields(document, resolved.items, level);
  const choices = resolved.oneOf ?? resolved.anyOf;
  if (choices) {
    return choices.flatMap((choice) => {
      const name = refName(choice);
      // One without a name is a plain value or null, of which the type says it all.
      return name ? toField(document, name, choice, { isRequired: false, level }) : [];
    });
  }
  return Object.entries(resolved.properties ?? {}).map(([name, property]) =>
    toField(document, name, property, {
      isRequired: resolved.required?.includes(name) ?? false,
      level,
    }),
  );
}

export function toField(
  document: OpenAPIObject,
  name: string,
  schema: Schema,
  { isRequired, level = 1 }: { isRequired: boolean; level?: number },
): Field {
  const resolved = resolveSchema(document, schema);
  return {
    name,
    type: typeText(document, resolved),
    isRequired,
    description: schema.description ?? resolved.description ?? '',
    limits: limitsOf(resolved),
    fields: bodyFields(document, resolved, level + 1),
  };
}

/** The schema itself, or the component that it refers to; `{}`, anything, where that is not there. */
export function resolveSchema(document: OpenAPIObject, schema: Schema): SchemaObject {
  const name = refName(schema);
  if (name === undefined) return '$ref' in schema ? {} : schema;
  const target = document.components?.schemas?.[name];
  return target ? resolveSchema(document, target) : {};
}

function refName(schema: Schema): string | undefined {
  return '$ref' in schema ? schema.$ref?.split('/').at(-1) : undefined;
}

function typeText(document: OpenAPIObject, schema: SchemaObject): string {
  if (schema.enum) return schema.enum.map(String).join(' | ');
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) {
    const types = choices.map((choice) => typeText(document, resolveSchema(document, choice)));
    return [...new Set(types)].join(' or ');
  }
  const types = [schema.type ?? 'anything'].flat().map((type) => {
    if (type === 'array' && schema.items) {
      return `array of ${typeText(document, resolveSchema(document, schema.items))}`;
    }
    return schema.format && type !== 'null' ? `${type} (${schema.format})` : type;
  });
  return types.join(' or ');
}

function limitsOf(schema: SchemaObject): string[] {
  const limits = [
    span(schema.minimum, schema.maximum, ''),
    span(schema.minLength, schema.maxLength, ' characters'),
    span(schema.minItems, schema.maxItems, ' items'),
    span(schema.minProperties, schema.maxProperties, ' fields'),
    schema.pattern && !schema.format ? `matches ${schema.pattern}` : '',
    schema.default === undefined ? '' : `${JSON.stringify(schema.default)} unless given`,
  ];
  return limits.filter((limit) => limit !== '');
}

function span(least: number | undefined, most: number | undefined, unit: string): string {
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`;
  if (least !== undefined) return `at least ${least}${unit}`;
  return most === undefined ? '' : `at most ${most}${unit}`;
}

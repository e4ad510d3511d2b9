import type { z } from 'zod';
import { isStorable, toStorable } from '../api/fields';
import {
  fieldSchemas,
  type ImportedTestimonial,
  type ItemError,
  importedTestimonial,
  maxErrors,
} from './schema';

const strictTestimonial = importedTestimonial.strict();

/** Names of unknown fields are a client's text; longer ones are cut. */
const nameCharacters = 100;

type Validated =
  | { item: ImportedTestimonial }
  | { errors: ItemError[]; externalId: string | undefined };

/**
 * An item of an import as it is stored, or what is wrong with it: each field once, and never its
 * value. Strict, fields that are unknown are wrong; else they are ignored.
 */
export function validateItem(item: unknown, { isStrict }: { isStrict: boolean }): Validated {
  const { data, error } = (isStrict ? strictTestimonial : importedTestimonial).safeParse(item);
  if (data) return { item: data };
  const errors = new Map<string | undefined, ItemError>();
  for (const found of error.issues.flatMap((issue) => errorsOf(issue, item))) {
    if (errors.size < maxErrors && !errors.has(found.field)) errors.set(found.field, found);
  }
  return { errors: [...errors.values()], externalId: externalIdOf(item) };
}

function errorsOf(issue: z.core.$ZodIssue, item: unknown): ItemError[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((name) => {
      const field = toStorable(name, nameCharacters);
      return { field, message: 'is no field of a testimonial' };
    });
  }
  const [field] = issue.path;
  if (typeof field !== 'string') return [{ message: 'must be an object' }];
  const value: unknown = Reflect.get(Object(item), field);
  if (value === undefined) return [{ field, message: 'is required' }];
  // No published schema says this.
  if (typeof value === 'string' && !isStorable(value)) return [{ field, message: unstorable }];
  return [{ field, message: ruleOf(fieldSchemas[field]) }];
}

const unstorable = 'must be without NUL and without half of an emoji (a lone surrogate)';

/** What the published schema of a field asks for, in words that continue its name. */
function ruleOf(schema: z.core.JSONSchema._JSONSchema | undefined): string {
  if (typeof schema !== 'object') return 'is not valid';
  const { enum: choices, type, format, minLength = 0, maxLength, minimum, maximum } = schema;
  if (choices) return `must be one of ${choices.join(', ')}`;
  if (type === 'integer') return `must be a whole number from ${minimum} to ${maximum}`;
  const form = forms.get(format ?? '');
  const length = maxLength === undefined ? '' : ` of at most ${maxLength} characters`;
  if (form) return `must be ${form}${format === 'date-time' ? '' : length}`;
  return minLength > 0
    ? `must be a text of ${minLength} to ${maxLength} characters`
    : `must be a text${length}`;
}

const forms = new Map([
  ['uuid', 'a UUID'],
  ['email', 'an e-mail address'],
  ['uri', 'an absolute URL'],
  ['date-time', 'a date and time in the past with an offset, such as 2019-05-04T08:15:00Z'],
]);

/** The id of an invalid item, so that whoever sent it finds it again. */
function externalIdOf(item: unknown): string | undefined {
  const { data } = importedTestimonial.shape.external_id.safeParse(
    Reflect.get(Object(item), 'external_id'),
  );
  return data;
}

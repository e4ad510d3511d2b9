import { queryParameters } from '../api/query-parameters';
import { requestLogLimits } from './limits';
import type { SentField } from './schema';

/** What an operation takes, as far as masking has to know it. */
export type KnownFields = {
  /** Query parameters or body fields. */
  fields: { has(name: string): boolean };
  /** Of those that take one of several words: these. */
  words: { get(name: string): ReadonlySet<string> | undefined };
};

/** Of a request that was for no operation, or whose query is looked at by none. */
export const noFields: KnownFields = { fields: new Set(), words: new Map() };

/**
 * The fields whose values may be shown, where these have a harmless form; a whitelist, so that a
 * field that is added later is masked until somebody has thought of it.
 */
const shownFields = new Set([
  'date_from',
  'date_to',
  'limit',
  'offset',
  'rating',
  'sort_by',
  'sort_order',
  'space_id',
  'status',
  'type',
  'wait',
]);

const uuidForm = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** No telephone number, and no date of birth with a name to it. */
const shortNumber = /^-?\d{1,6}(?:\.\d{1,3})?$/;
const instantForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?$/;

/** What people call fields and paths. No key has this form, and no address. */
const nameForm = /^(?!sk_)[a-z][\w-]{0,39}$/i;

/** Parameters of a query, as they stand in it. */
export function maskedQuery(search: string, known: KnownFields): SentField[] {
  const fields: SentField[] = [];
  for (const [name, value] of queryParameters(search)) {
    if (fields.length === requestLogLimits.fields) break;
    fields.push(maskedField(name, value, known));
  }
  return fields;
}

/** The fields of a body, or what it is instead of an object. */
export function maskedBody(body: unknown, known: KnownFields): SentField[] | string {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return typeOf(body);
  const fields: SentField[] = [];
  // Not by its entries: there may be a hundred thousand.
  for (const name in body) {
    if (fields.length === requestLogLimits.fields) break;
    if (Object.hasOwn(body, name)) fields.push(maskedField(name, Reflect.get(body, name), known));
  }
  return fields;
}

/**
 * A path below `/api/v1` without what may be anybody's words: `/testimonials/…`. Of a path that is
 * none of ours, what looks like a name is left, for somebody to see the slip.
 */
export function maskedPath(path: string, template: string | undefined): string {
  if (path === template) return path;
  const ours = template?.split('/');
  const parts = path.slice(0, 2 * requestLogLimits.path).split('/');
  const masked = parts.map((part, place) => {
    const isName = ours ? part === ours[place] : nameForm.test(part);
    return part === '' || isName || isHarmless(part) ? part : '…';
  });
  return masked.join('/').slice(0, requestLogLimits.path);
}

/** A name of a field as it may be shown. */
export function shownName(name: string): string | null {
  return nameForm.test(name) ? name : null;
}

function maskedField(name: string, value: unknown, known: KnownFields): SentField {
  const isKnown = known.fields.has(name);
  const isShown = isKnown && shownFields.has(name) && isHarmless(value, known.words.get(name));
  return {
    name: isKnown ? name : shownName(name),
    type: typeOf(value),
    value: isShown ? String(value) : null,
    is_known: isKnown,
  };
}

function isHarmless(value: unknown, words?: ReadonlySet<string>): boolean {
  if (typeof value === 'boolean') return true;
  if (typeof value === 'number') return shortNumber.test(String(value));
  if (typeof value !== 'string') return false;
  return (
    uuidForm.test(value) ||
    shortNumber.test(value) ||
    instantForm.test(value) ||
    (words?.has(value) ?? false)
  );
}

function typeOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return `list of ${value.length}`;
  switch (typeof value) {
    case 'string':
      return value.length === 1 ? 'text, 1 character' : `text, ${value.length} characters`;
    case 'number':
      return 'number';
    case 'boolean':
      return 'true or false';
    default:
      return 'object';
  }
}

import { z } from 'zod';
import { hasEndlessHostName } from '../urls/host-name';

/**
 * Postgres text holds neither NUL nor half a surrogate pair; such a string is refused instead of
 * failing in the database.
 */
export function isStorable(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}

/**
 * Whether a string has `min` to `max` characters. Characters are code points, as JSON Schema counts
 * them, so that an emoji is one and the published document says what the service does.
 */
export function hasLength(value: string, min: number, max: number): boolean {
  // A code point is one or two UTF-16 units: only lengths between need counting.
  if (value.length < min || value.length > 2 * max) return false;
  let length = 0;
  for (const _ of value) length += 1;
  return length >= min && length <= max;
}

/**
 * Of what people write or say at length, in characters: a page of a hundred rows and the events of a
 * batch hold a hundred times two of them.
 */
export const longTextCharacters = 50_000;

/** Text of elsewhere as Postgres can hold it, and its first `max` characters. */
export function toStorable(value: string, max: number): string {
  const text = value.replaceAll('\0', '').toWellFormed();
  return [...text.slice(0, 2 * max)].slice(0, max).join('');
}

/** Text of `min` to `max` characters. */
export function text(min: number, max: number) {
  return z
    .string()
    .refine((value) => hasLength(value, min, max), {
      error:
        min > 0
          ? `Expected text of ${min} to ${max} characters`
          : `Expected text of at most ${max} characters`,
      abort: true,
    })
    .refine(isStorable, 'Expected text without NUL and lone surrogates')
    .meta(min > 0 ? { minLength: min, maxLength: max } : { maxLength: max });
}

/**
 * What people call a thing of theirs: without the white space around it, and not of white space and
 * invisible characters alone.
 */
export function name(max: number) {
  return z
    .string()
    .trim()
    .refine(
      (value) => hasLength(value, 1, max) && isStorable(value) && /[^\p{C}\p{Z}]/u.test(value),
    )
    .meta({ minLength: 1, maxLength: max });
}

const uriCharacters = 2048;

/**
 * An absolute URI, kept as it was sent. White space and control characters are refused: the URL
 * parser would silently drop some of them, and none belongs in a URI (RFC 3986). A host name in letters
 * beyond ASCII is none that is longer than a name can be.
 */
export const uri = z
  .string()
  .refine(
    (value) =>
      hasLength(value, 0, uriCharacters) &&
      isStorable(value) &&
      !/[\s\p{Cc}]/u.test(value) &&
      !hasEndlessHostName(value) &&
      URL.canParse(value),
    `Expected an absolute URI of at most ${uriCharacters} characters`,
  )
  .meta({ format: 'uri', maxLength: uriCharacters });

/**
 * A string of which nothing more is asked where it is longer: a pattern that repeats something may
 * need a stack as long as the text, and fails where there is none.
 */
export function atMost(max: number) {
  return z.string().max(max, { abort: true });
}

/**
 * Of a person who signs in. At most as long as an address can be: 64 characters, `@`, and a host name of
 * 255. RFC 5321.
 */
export const email = atMost(320).check(z.email()).refine(isStorable);

const atom = "[a-zA-Z0-9_!#$%&'*+/=?^`{|}~-]+";

/**
 * The addresses that mail is sent to: https://html.spec.whatwg.org/#valid-e-mail-address, with a dot in
 * the host, whose last label is no number and has two characters, and none at the ends of what stands
 * before `@`, nor two together. Hosts may be in the ASCII form of any script. Parts of it are bounded by
 * the whole alone, as they always were.
 */
const emailPattern = new RegExp(
  `^${atom}(?:\\.${atom})*@(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?\\.)+[a-zA-Z][a-zA-Z0-9-]*[a-zA-Z0-9]$`,
);

/** Who submitted a testimonial. As long as an address can be, as above. */
export const submitterEmail = atMost(320).check(z.email({ pattern: emailPattern }));

/** zod's own pattern knows the all-f UUID in lower case alone. */
const uuidPattern =
  /^(?:[\da-fA-F]{8}-[\da-fA-F]{4}-[1-8][\da-fA-F]{3}-[89abAB][\da-fA-F]{3}-[\da-fA-F]{12}|0{8}-(?:0{4}-){3}0{12}|[fF]{8}-(?:[fF]{4}-){3}[fF]{12})$/;

/** Contract, section 4: versions 1 to 8, or the all-zero or all-f UUID. Lower-cased, as stored. */
export const uuid = z
  .string()
  .regex(uuidPattern, 'Expected a UUID')
  .toLowerCase()
  .meta({ format: 'uuid' });

/**
 * An instant in UTC with `Z`, a real calendar date and time. The published pattern shows the form, and
 * that there are no leap seconds, of which the format `date-time` has some; the one that knows the length
 * of months would fill a paragraph.
 */
export const utcInstant = atMost(64)
  .check(z.iso.datetime('Expected an instant in UTC, as 2026-01-15T10:30:00Z'))
  .meta({ pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d+)?Z$` });

/**
 * How answers write ids and instants. The columns' types and `wireInstantColumn` see to their form;
 * to check it once more for every row would double the cost of checking an answer.
 */
export const wireId = z.string().meta({ format: 'uuid' });

/** Microseconds and UTC offset. */
export const wireInstant = z.string().meta({
  format: 'date-time',
  pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$`,
});

/** An instant of the service's own clock, as answers write it. */
export function wireInstantOf(date: Date): string {
  return date.toISOString().replace('Z', '000+00:00');
}

/** Whether an update gives something beside the id of what it changes. */
export function changesAnything(input: { id: string }): boolean {
  return Object.entries(input).some(([name, value]) => name !== 'id' && value !== undefined);
}

/** An answer that is no JSON, in pieces as they come: the output of a procedure with a content type. */
export const byteStream = z
  .custom<AsyncIterable<Uint8Array>>(
    (value) => typeof value === 'object' && value !== null && Symbol.asyncIterator in value,
  )
  .meta({ type: 'string', format: 'binary' });

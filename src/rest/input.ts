import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { largeBodyBytes, readCapped } from '../api/body';
import { ApiError, UnreadableBodyError } from '../api/errors';
import { requireFewValues } from '../api/json-values';
import { queryParameters } from '../api/query-parameters';
import { restMsAfter } from '../api/recent-accounts';
import { createFairPlaces } from '../fair-places';
import type { Operation } from '../operations';
import { isWellEscaped } from '../urls/percent-encoding';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** As many wait as are in memory at once; see `createBodyMemory`. */
const largeBodies = createFairPlaces({
  total: 1,
  waitingPerKey: Number.POSITIVE_INFINITY,
  restMs: restMsAfter,
});

/**
 * Parameters that count as absent where they are empty. An empty search box sends an empty `search`; the
 * others were ignored before there were any, and an empty one still is. `after` is the feed's.
 */
const mayBeEmpty = new Set([
  'search',
  'cursor',
  'after',
  'external_id',
  'transcription',
  'include',
]);

/**
 * The query parameters an operation knows, integers as numbers; others are ignored.
 * @throws ApiError VALIDATION_ERROR for one that is repeated, empty, no UTF-8, or no plain integer
 */
export function readQuery(search: string, fields: Operation['fields']): Record<string, unknown> {
  const parameters = queryParameters(search);
  const query: Record<string, unknown> = {};
  for (const [name, kind] of fields) {
    const values = parameters.getAll(name);
    const [value] = values;
    if (value === undefined) continue;
    if (values.length > 1) throw invalid(`${name} is repeated`);
    if (value === '') {
      if (mayBeEmpty.has(name)) continue;
      throw invalid(`${name} is empty`);
    }
    // U+FFFD stands for bytes that are no UTF-8, but may also have been sent itself.
    if (value.includes('\ufffd') && !isUtf8(search, [...parameters.keys()].indexOf(name))) {
      throw invalid(`${name} is no UTF-8`);
    }
    query[name] = kind === 'integer' ? readInteger(name, value) : value;
  }
  return query;
}

function readInteger(name: string, value: string): number {
  if (!/^-?\d+$/.test(value)) throw invalid(`${name} is no integer`);
  return Number(value);
}

/** Whether all escaped bytes of a parameter are UTF-8. A `%` that escapes nothing stands for itself. */
function isUtf8(search: string, index: number): boolean {
  // Empty ones are no parameters for URLSearchParams either.
  const pairs = search.replace(/^\?/, '').split('&').filter(Boolean);
  return (pairs[index]?.match(/(?:%[\da-f]{2})+/gi) ?? []).every(isWellEscaped);
}

/** @throws ApiError VALIDATION_ERROR for a query parameter that an operation does not know */
export function refuseUnknownParameters(search: string, known: ReadonlyMap<string, unknown>): void {
  for (const name of queryParameters(search).keys()) {
    if (!known.has(name)) throw invalid('a query parameter is unknown');
  }
}

type BodyOptions = {
  maxBytes: number;
  isOptional: boolean;
  /** The account whose large bodies wait for each other. */
  owner: string;
  /** Calls the listener once nobody waits for the answer any more: then it is not parsed. */
  whenGone: (listener: () => void) => void;
};

/**
 * A body of JSON, whatever is in it. None is an empty object where it is optional.
 * @throws ApiError PAYLOAD_TOO_LARGE, VALIDATION_ERROR where it has too many values, INTERNAL_ERROR
 * when the body is not JSON (contract, section 7)
 */
export async function readJson(
  body: AsyncIterable<Uint8Array>,
  { maxBytes, isOptional, owner, whenGone }: BodyOptions,
): Promise<unknown> {
  const bytes = await readWhole(body, maxBytes);
  if (bytes.length >= largeBodyBytes) {
    await turnOfLarge(owner, whenGone);
    requireFewValues(bytes);
  }
  return bytes.length === 0 && isOptional ? {} : parseJson(bytes);
}

/**
 * The fields of a body that an operation knows; others are ignored, or refused where it is strict.
 * @throws ApiError VALIDATION_ERROR when the body is no object
 */
export function knownFields(
  body: unknown,
  fields: Operation['fields'],
  isStrict: boolean,
): Record<string, unknown> {
  if (!isObject(body)) throw invalid('the body is no object');
  // Known fields alone go on: merged as it is, a body with "__proto__" would smuggle fields in.
  const known: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    if (fields.has(name)) known[name] = value;
    else if (isStrict) throw invalid('a body field is unknown');
  }
  return known;
}

/**
 * The part of a body by which an Idempotency-Key's request is known again: the fields that the operation
 * knows, or all of what is no object.
 */
export function comparableBody(body: unknown, fields: Operation['fields']): unknown {
  return isObject(body) ? knownFields(body, fields, false) : body;
}

function isObject(body: unknown): body is object {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

/**
 * Large bodies go on one by one, accounts in turn. Where others ask meanwhile, all together have half
 * of the time at most, and everybody else is heard between two.
 */
async function turnOfLarge(owner: string, whenGone: BodyOptions['whenGone']): Promise<void> {
  const gone = new AbortController();
  whenGone(() => gone.abort(unreadable('its client left')));
  const leave = await largeBodies.enter(owner, gone.signal);
  // Parsing and checking come before the event loop turns.
  void turnOfEventLoop().then(leave);
}

async function readWhole(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  try {
    return await readCapped(body, maxBytes);
  } catch (error) {
    throw error instanceof ApiError ? error : unreadable('the body broke off');
  }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    // The parser's message quotes the body, which may hold personal data: it is not kept.
    throw unreadable('the body is not JSON');
  }
}

function unreadable(reason: string): ApiError {
  return new ApiError('INTERNAL_ERROR', {
    message: 'The request body is not valid JSON.',
    cause: new UnreadableBodyError(reason),
  });
}

function invalid(reason: string): ApiError {
  return new ApiError('VALIDATION_ERROR', { cause: reason });
}

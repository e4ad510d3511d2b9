import { readCapped } from '../api/body';
import { ApiError, UnreadableBodyError } from '../api/errors';
import type { Operation } from '../operations';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The query parameters an operation knows, integers as numbers; others are ignored.
 * @throws ApiError VALIDATION_ERROR for one that is repeated, empty, or no plain integer
 */
export function readQuery(search: string, fields: Operation['fields']): Record<string, unknown> {
  const parameters = new URLSearchParams(search);
  const query: Record<string, unknown> = {};
  for (const [name, kind] of fields) {
    const values = parameters.getAll(name);
    const [value] = values;
    if (value === undefined) continue;
    if (values.length > 1) throw invalid(`${name} is repeated`);
    if (value === '') {
      // Searching for nothing is what an empty search box sends; an empty cursor meant nothing
      // before there were cursors.
      if (name === 'search' || name === 'cursor') continue;
      throw invalid(`${name} is empty`);
    }
    if (kind === 'integer' && !/^-?\d+$/.test(value)) throw invalid(`${name} is no integer`);
    query[name] = kind === 'integer' ? Number(value) : value;
  }
  return query;
}

/** @throws ApiError VALIDATION_ERROR for a query parameter that an operation does not know */
export function refuseUnknownParameters(search: string, known: ReadonlyMap<string, unknown>): void {
  for (const name of new URLSearchParams(search).keys()) {
    if (!known.has(name)) throw invalid('a query parameter is unknown');
  }
}

/**
 * The body fields an operation knows; others are ignored, or refused where it is strict.
 * @throws ApiError PAYLOAD_TOO_LARGE, INTERNAL_ERROR when the body is not JSON (contract,
 * section 7), VALIDATION_ERROR when it is JSON but no object
 */
export async function readBody(
  body: AsyncIterable<Uint8Array>,
  fields: Operation['fields'],
  { maxBytes, isStrict }: { maxBytes: number; isStrict: boolean },
): Promise<Record<string, unknown>> {
  const parsed = parseJson(await readWhole(body, maxBytes));
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw invalid('the body is no object');
  }
  // Known fields alone go on: merged as it is, a body with "__proto__" would smuggle fields in.
  const known: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(parsed)) {
    if (fields.has(name)) known[name] = value;
    else if (isStrict) throw invalid('a body field is unknown');
  }
  return known;
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

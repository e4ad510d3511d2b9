import { ApiError } from './errors';

/**
 * In a body. No operation takes a fifth of that. A megabyte may hold half a million, of which parsing
 * makes more garbage than all other requests together.
 */
export const maxValues = 100_000;

const [quote, comma, backslash, opening] = Buffer.from('",\\[');

/** What tells a bracket from a brace, of the same kind. */
const braceBit = 0x20;

/**
 * Refuses a body of JSON with too many values, before it is parsed: each list and each object counts,
 * and each value but the first in one. Looks at the bytes alone, up to one value too many; whether they
 * are JSON is seen later.
 * @throws ApiError VALIDATION_ERROR
 */
export function requireFewValues(bytes: Uint8Array): void {
  let values = 0;
  let isInString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) isInString = !isInString;
    else if (isInString) at += byte === backslash ? 1 : 0;
    else if ((byte === comma || (byte & ~braceBit) === opening) && ++values > maxValues) {
      throw new ApiError('VALIDATION_ERROR', { cause: 'the body has too many values' });
    }
  }
}

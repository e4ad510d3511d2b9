import { isWellEscaped } from '../urls/percent-encoding';

const escapedBytes = /(?:%[\da-f]{2})+|%/gi;

/** The parameters of a query as URLSearchParams reads them, at no more for one that it can hardly decode. */
export function queryParameters(search: string): URLSearchParams {
  return new URLSearchParams(withDecodableEscapes(search));
}

/**
 * The same query with U+FFFD for escaped bytes that are no UTF-8, and an escaped `%` for one that
 * escapes nothing. As it is, URLSearchParams takes an exception for each part that cannot be decoded,
 * and a query has room for thousands: they cost ten times what they do so.
 */
export function withDecodableEscapes(search: string): string {
  return isWellEscaped(search) ? search : search.replace(escapedBytes, decodable);
}

function decodable(escaped: string): string {
  if (escaped === '%') return '%25';
  return encodeURIComponent(Buffer.from(escaped.replaceAll('%', ''), 'hex').toString());
}

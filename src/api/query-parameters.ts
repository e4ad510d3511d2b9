import { isWellEscaped } from '../urls/percent-encoding';

const escapedBytes = /(?:%[\da-f]{2})+|%/gi;

/** The parameters of a query as URLSearchParams reads them, also cheaply where it cannot decode much. */
export function queryParameters(search: string): URLSearchParams {
  return new URLSearchParams(withDecodableEscapes(search));
}

/**
 * The same query with U+FFFD for escaped bytes that are no UTF-8, and `%25` for a `%` that escapes
 * nothing. Left as they are, URLSearchParams throws and catches an exception for each, at ten times the
 * cost, and a query has room for thousands.
 */
export function withDecodableEscapes(search: string): string {
  return isWellEscaped(search) ? search : search.replace(escapedBytes, decodable);
}

function decodable(escaped: string): string {
  if (escaped === '%') return '%25';
  return encodeURIComponent(Buffer.from(escaped.replaceAll('%', ''), 'hex').toString());
}

import { allowedMethods, type Route } from '../operations';
import { openHeaders, preflightHeaders } from './cors';

/** The headers that every answer begins with. */
export function baseHeaders(requestId: string, route: Route | undefined): Record<string, string> {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    ...(route?.cors && openHeaders),
  };
}

/** The headers of an answer without a body. */
export function withoutContentType({ 'Content-Type': _, ...headers }: Record<string, string>) {
  return headers;
}

/** The headers of the answer to a preflight request. */
export function preflightAnswerHeaders(
  route: Route,
  headers: Record<string, string>,
): Record<string, string> {
  return {
    ...withoutContentType(headers),
    Allow: allowedMethods(route),
    ...preflightHeaders(route),
  };
}

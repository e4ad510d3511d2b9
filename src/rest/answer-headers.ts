import { allowedMethods, type Route } from '../operations';
import { openHeaders, preflightHeaders } from './cors';

/** What every answer begins with. */
export function baseHeaders(requestId: string, route: Route | undefined): Record<string, string> {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    ...(route?.cors && openHeaders),
  };
}

/** For an answer without a body. */
export function untyped({ 'Content-Type': _, ...headers }: Record<string, string>) {
  return headers;
}

/** Of the answer to a preflight request. */
export function preflightAnswerHeaders(
  route: Route,
  headers: Record<string, string>,
): Record<string, string> {
  return { ...untyped(headers), Allow: allowedMethods(route), ...preflightHeaders(route) };
}

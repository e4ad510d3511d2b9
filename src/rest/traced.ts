import { env } from '../env';
import { findRoute, mountPath } from '../operations';
import { serverFacts } from '../tracing/server-facts';
import { type TraceHeaders, tracer } from '../tracing/tracer';
import type { Defer, RestAnswer, RestRequest } from './exchange';
import { withoutNeedlessEscapes } from './request-target';
import { handleRest } from './rest';

/** Of the path that a span tells: clients may send one of many kilobytes. */
const maxPathCharacters = 256;

/** The methods that the conventions know, RFC 9110's and PATCH. */
const knownMethods = new Set('GET HEAD POST PUT DELETE CONNECT OPTIONS TRACE PATCH'.split(' '));

/**
 * `handleRest` as a span of the caller's trace, where anything is traced, by OpenTelemetry's conventions
 * for HTTP. Host, port and scheme are those of PUBLIC_URL: what a request says of them is anybody's
 * words. Of a path that is none of the document's, nothing is told.
 */
export function handleTraced(
  request: RestRequest,
  from: TraceHeaders,
  defer: Defer,
): Promise<RestAnswer> {
  const tracing = tracer();
  if (!tracing) return handleRest(request, defer);
  const route = findRoute(withoutNeedlessEscapes(request.path));
  const name = route ? `${mountPath}${route.template}` : mountPath;
  const { method, path } = request;
  const isKnown = knownMethods.has(method);
  return tracing.serve(from, `${isKnown ? method : 'HTTP'} ${name}`, async (span) => {
    const answer = await handleRest(request, defer);
    const { PUBLIC_URL = '' } = env();
    span.set({
      'http.request.method': isKnown ? method : '_OTHER',
      ...(!isKnown && { 'http.request.method_original': method }),
      'http.route': name,
      'http.response.status_code': answer.status,
      'url.scheme': PUBLIC_URL.startsWith('https:') ? 'https' : 'http',
      'url.path': `${mountPath}${route ? path : ''}`.slice(0, maxPathCharacters),
      ...serverFacts(PUBLIC_URL),
      'testimonials.request_id': answer.headers['X-Request-Id'] ?? '',
    });
    if (answer.status >= 500) {
      span.set({ 'error.type': String(answer.status) });
      span.fail();
    }
    return answer;
  });
}

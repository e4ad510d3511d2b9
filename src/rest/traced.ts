import { findRoute, mountPath } from '../operations';
import { type TraceHeaders, tracer } from '../tracing/tracer';
import type { Defer, RestAnswer, RestRequest } from './exchange';
import { handleRest } from './rest';

/** `handleRest` as a span of the caller's trace, where anything is traced. */
export function handleTraced(
  request: RestRequest,
  from: TraceHeaders,
  defer: Defer,
): Promise<RestAnswer> {
  const tracing = tracer();
  if (!tracing) return handleRest(request, defer);
  const route = findRoute(request.path);
  const name = route ? `${mountPath}${route.template}` : mountPath;
  return tracing.serve(from, `${request.method} ${name}`, async (span) => {
    const answer = await handleRest(request, defer);
    span.set({
      'http.request.method': request.method,
      'http.route': name,
      'http.response.status_code': answer.status,
      'testimonials.request_id': answer.headers['X-Request-Id'] ?? '',
    });
    if (answer.status >= 500) span.fail();
    return answer;
  });
}

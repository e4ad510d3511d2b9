import { randomUUID } from 'node:crypto';
import { log } from '../log';
import { countRequest } from '../rate-limit/counter';
import { rateLimitHeaderNames, rateLimitHeaders, retryAfter } from '../rate-limit/headers';
import { startDelivery } from '../webhooks/start-delivery';
import { ApiError, toApiError } from './errors';
import { readBody, readQuery } from './input';
import { describeFailure, isOurFault } from './log-line';
import { dispatch } from './mount';
import { openApiDocument } from './openapi';
import { allowedMethods, findRoute, type Operation, type Route } from './operations';
import { authenticateApiKey, type Principal, requireScope } from './principal';
import { withoutNeedlessEscapes } from './target';

export type RestRequest = {
  method: string;
  /** Below `/api/v1`, not decoded, without the query: `/testimonials`. */
  path: string;
  /** The query, with or without `?`. */
  search: string;
  authorization: string | null | undefined;
  /** Reading may stop before the end. */
  body: AsyncIterable<Uint8Array>;
};

export type RestAnswer = {
  status: number;
  headers: Record<string, string>;
  body: string | undefined;
};

/** Runs a task once the answer is out; it may not throw. */
export type Defer = (task: () => Promise<void>) => void;

/** What is known of a request so far: for its answer's headers, and for its log line. */
type Exchange = {
  request: RestRequest;
  route: Route | undefined;
  headers: Record<string, string>;
  principal?: Principal;
  defer: Defer;
};

/**
 * One request to `/api/v1` in, one answer out; never throws. The order of the checks: route →
 * preflight → authentication → rate limit → method → scope → body → schema → operation.
 */
export async function handleRest(received: RestRequest, defer: Defer): Promise<RestAnswer> {
  const startedAt = performance.now();
  const requestId = randomUUID();
  const request = { ...received, path: withoutNeedlessEscapes(received.path) };
  const route = findRoute(request.path);
  const exchange: Exchange = { request, route, headers: baseHeaders(requestId, route), defer };
  const { answer, error } = await respond(exchange);
  const { principal } = exchange;
  const line = {
    requestId,
    method: request.method,
    route: route?.template,
    status: answer.status,
    durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
    accountId: principal?.accountId,
    keyId: principal?.keyId,
    ...(error && describeFailure(error)),
  };
  if (error && isOurFault(error)) log().error(line, 'request');
  else log().info(line, 'request');
  return request.method === 'HEAD' ? { ...answer, body: undefined } : answer;
}

async function respond(exchange: Exchange): Promise<{ answer: RestAnswer; error?: ApiError }> {
  try {
    return { answer: await answerTo(exchange) };
  } catch (thrown) {
    const error = toApiError(thrown);
    // RFC 9110, section 11.6.1.
    if (error.status === 401) exchange.headers['WWW-Authenticate'] = 'Bearer';
    const body = JSON.stringify(error.body);
    return { answer: { status: error.status, headers: exchange.headers, body }, error };
  }
}

async function answerTo(exchange: Exchange): Promise<RestAnswer> {
  const { request, route, headers } = exchange;
  if (/^\/openapi\.json\/?$/.test(request.path) && isRead(request.method)) {
    return { status: 200, headers: { ...headers, ...anyOrigin }, body: openApiDocument() };
  }
  if (route?.cors && request.method === 'OPTIONS') return preflight(route, headers);
  const principal = await authenticate(exchange);
  await count(exchange, principal);
  const operation = findOperation(route, request.method, headers);
  requireScope(principal, operation.scope);
  const body = await dispatch({
    method: operation.method,
    path: request.path,
    query: operation.takesBody ? {} : readQuery(request.search, operation.fields),
    body: operation.takesBody ? await readBody(request.body, operation.fields) : undefined,
    context: { principal },
  });
  if (operation.scope !== 'read') exchange.defer(startDelivery);
  return answer(operation, headers, body);
}

async function authenticate(exchange: Exchange): Promise<Principal> {
  const { principal, noteUse } = await authenticateApiKey(exchange.request.authorization);
  exchange.principal = principal;
  if (noteUse) exchange.defer(noteUse);
  return principal;
}

/** Every authenticated request counts, whatever becomes of it; from here on the headers say so. */
async function count({ headers }: Exchange, { accountId }: Principal): Promise<void> {
  const { state, isExceeded } = await countRequest(accountId);
  Object.assign(headers, rateLimitHeaders(state));
  if (!isExceeded) return;
  headers['Retry-After'] = retryAfter(state, Date.now());
  throw new ApiError('RATE_LIMIT_EXCEEDED', {
    details: { limit: state.limit, reset: String(state.resetAt) },
  });
}

function findOperation(
  route: Route | undefined,
  method: string,
  headers: Record<string, string>,
): Operation {
  if (!route) throw new ApiError('INVALID_ENDPOINT');
  const operation = route.operations.get(method === 'HEAD' ? 'GET' : method);
  if (operation) return operation;
  headers.Allow = allowedMethods(route);
  throw new ApiError('METHOD_NOT_ALLOWED');
}

function answer(
  operation: Operation,
  headers: Record<string, string>,
  body: string | undefined,
): RestAnswer {
  if (operation.success !== 204) return { status: operation.success, headers, body };
  const { 'Content-Type': _, ...withoutType } = headers;
  return { status: 204, headers: withoutType, body: undefined };
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

const anyOrigin = { 'Access-Control-Allow-Origin': '*' };

function baseHeaders(requestId: string, route: Route | undefined): Record<string, string> {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    ...(route?.cors && {
      ...anyOrigin,
      'Access-Control-Expose-Headers': [
        ...rateLimitHeaderNames,
        'Retry-After',
        'X-Request-Id',
      ].join(', '),
    }),
  };
}

/** Needs no key: browsers send none. WHATWG Fetch, section 3.3. */
function preflight(route: Route, headers: Record<string, string>): RestAnswer {
  const { 'Content-Type': _, ...withoutType } = headers;
  return {
    status: 204,
    headers: {
      ...withoutType,
      Allow: allowedMethods(route),
      'Access-Control-Allow-Methods': [...route.operations.keys()].join(', '),
      'Access-Control-Allow-Headers': 'Authorization, Content-Type',
      'Access-Control-Max-Age': '86400',
    },
    body: undefined,
  };
}

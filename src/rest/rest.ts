import { randomUUID } from 'node:crypto';
import { bodyCap } from '../api/body';
import { ApiError, toApiError } from '../api/errors';
import { describeFailure, isOurFault } from '../api/failure-log';
import { type Principal, requireScope } from '../api/principal';
import { authenticateApiKey } from '../api-keys/authenticate';
import type { Writer } from '../database/writer';
import { answerOnce } from '../idempotency/answer-once';
import { readIdempotencyKey } from '../idempotency/key';
import { idempotencyLimits } from '../idempotency/limits';
import { log } from '../log';
import { allowedMethods, findRoute, mountPath, type Operation, type Route } from '../operations';
import { announceDue } from '../outbox/due';
import { countRequest } from '../rate-limit/counter';
import { rateLimitHeaders, retryAfter } from '../rate-limit/headers';
import { answerCache } from './answer-cache';
import { anyOrigin, openHeaders, preflightHeaders, setExposed } from './cors';
import { documentTag, entityTag, includesTag } from './entity-tag';
import { readBody, readQuery, refuseUnknownParameters } from './input';
import { dispatch, type MountedCall } from './mount';
import { openApiDocument } from './openapi/document';
import { asksForStrictHandling } from './prefer';
import { withoutNeedlessEscapes } from './request-target';

export type RestRequest = {
  method: string;
  /** Below `/api/v1`, not decoded, without the query: `/testimonials`. */
  path: string;
  /** The query, with or without `?`. */
  search: string;
  authorization: string | null | undefined;
  ifNoneMatch: string | null | undefined;
  idempotencyKey: string | null | undefined;
  prefer: string | null | undefined;
  /** Reading may stop before the end. */
  body: AsyncIterable<Uint8Array>;
  /** Calls the listener once the client has left, or has its answer. */
  whenGone: (listener: () => void) => void;
};

/** Bytes of their own, which nothing else is kept alive by. */
export type Bytes = Uint8Array<ArrayBuffer>;

export type RestAnswer = {
  status: number;
  headers: Record<string, string>;
  /** In pieces where it is a stream: it may fail at any of them, and whoever sends it must end it. */
  body: Bytes | AsyncIterable<Uint8Array> | undefined;
};

/** Runs a task once the answer is out; it may not throw. */
export type Defer = (task: () => Promise<void>) => void;

const utf8 = new TextEncoder();

/** What is known of a request so far: for its answer's headers, and for its log line. */
type Exchange = {
  request: RestRequest;
  route: Route | undefined;
  headers: Record<string, string>;
  principal?: Principal;
  /** Whether what the operation does not know is refused. */
  isStrict: boolean;
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
  const headers = baseHeaders(requestId, route);
  const exchange: Exchange = { request, route, headers, isStrict: false, defer };
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
  const { body } = answer;
  if (request.method === 'HEAD' || !body) return { ...answer, body: undefined };
  return body instanceof Uint8Array ? answer : { ...answer, body: logged(body, requestId) };
}

/** What fails after the answer has begun has no other line. */
async function* logged(
  pieces: AsyncIterable<Uint8Array>,
  requestId: string,
): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } catch (error) {
    log().error({ requestId, err: error }, 'answer broke off');
    throw error;
  }
}

async function respond(exchange: Exchange): Promise<{ answer: RestAnswer; error?: ApiError }> {
  try {
    return { answer: await answerTo(exchange) };
  } catch (thrown) {
    const error = toApiError(thrown);
    const { headers } = exchange;
    // RFC 9110, section 11.6.1.
    if (error.status === 401) headers['WWW-Authenticate'] = 'Bearer';
    if (error.status === 503) headers['Retry-After'] = '1';
    if (error.apiCode === 'IDEMPOTENCY_KEY_IN_USE') {
      headers['Retry-After'] = String(idempotencyLimits.retryAfterSeconds);
    }
    const body = utf8.encode(JSON.stringify(error.body));
    return { answer: { status: error.status, headers, body }, error };
  }
}

async function answerTo(exchange: Exchange): Promise<RestAnswer> {
  const { request, route, headers } = exchange;
  if (/^\/openapi\.json\/?$/.test(request.path) && isRead(request.method)) {
    Object.assign(headers, anyOrigin);
    const read = async () => utf8.encode(openApiDocument());
    return conditional(exchange, documentTag(), read);
  }
  if (route?.cors && request.method === 'OPTIONS') return preflight(route, headers);
  const principal = await authenticate(exchange);
  await count(exchange, principal);
  const operation = findOperation(route, request.method, headers);
  requireScope(principal, operation.scope);
  if (asksForStrictHandling(request.prefer)) handleStrictly(exchange, operation);
  const key = operation.takesKey ? readIdempotencyKey(request.idempotencyKey) : undefined;
  const input = () => readInput(operation, exchange);
  const run = (read: Input, writer?: Writer) => {
    const { whenGone } = request;
    const checkedScope = operation.scope;
    const context = { principal, checkedScope, whenGone, ...(writer && { writer }) };
    return dispatch({ operation, path: request.path, ...read, context });
  };
  if (operation.isConditional) {
    const { accountId, version = '' } = principal;
    const { path, search } = request;
    const read = async () => encoded(await run(await input()));
    return conditional(exchange, entityTag({ accountId, version, path, search }), read);
  }
  const { status, output } =
    key === undefined
      ? { status: operation.success, output: await run(await input()) }
      : await runOnce(exchange, { accountId: principal.accountId, key }, operation, input, run);
  const body = encoded(output);
  if (operation.method !== 'GET') exchange.defer(() => announceDue(principal.accountId));
  if (operation.contentType) headers['Content-Type'] = operation.contentType;
  return { status, headers: body ? headers : untyped(headers), body };
}

/**
 * From here on, and before an answer out of the cache, what the operation does not know is refused.
 * It makes no other answer, only fewer of them, so nothing varies by it.
 */
function handleStrictly(exchange: Exchange, { takesBody, fields }: Operation): void {
  const { request, headers } = exchange;
  exchange.isStrict = true;
  setExposed(headers, 'Preference-Applied', 'handling=strict');
  refuseUnknownParameters(request.search, takesBody ? new Map() : fields);
}

type Input = Pick<MountedCall, 'query' | 'body'>;
type Output = Awaited<ReturnType<typeof dispatch>>;

async function readInput(
  { takesBody, fields }: Operation,
  { request: { path, search, body }, isStrict }: Exchange,
): Promise<Input> {
  return takesBody
    ? {
        query: {},
        body: await readBody(body, fields, { maxBytes: bodyCap(mountPath + path), isStrict }),
      }
    : { query: readQuery(search, fields), body: undefined };
}

/** The call of a request that carries a key: made, or answered as it was before. */
async function runOnce(
  { request: { method, path }, headers }: Exchange,
  { accountId, key }: { accountId: string; key: string },
  { success }: Operation,
  readInput: () => Promise<Input>,
  run: (input: Input, writer: Writer) => Promise<Output>,
): Promise<{ status: number; output: Output }> {
  const input = await readInput();
  const facts = { method, path, body: input.body };
  const { isReplayed, status, body } = await answerOnce(
    { accountId, key, facts },
    async (writer) => {
      const output = await run(input, writer);
      return { status: success, body: typeof output === 'string' ? output : '' };
    },
  );
  if (isReplayed) {
    setExposed(headers, 'Idempotency-Replayed', 'true');
  }
  return { status, output: body || undefined };
}

function encoded(output: Output): RestAnswer['body'] {
  return typeof output === 'string' ? utf8.encode(output) : output;
}

/**
 * The answer to a GET under its entity tag: 304 where the client has it, else from the cache, else
 * read. RFC 9110, section 13.2.
 */
async function conditional(
  { request, headers }: Exchange,
  tag: string,
  read: () => Promise<RestAnswer['body']>,
): Promise<RestAnswer> {
  const { ifNoneMatch } = request;
  const isKnown = includesTag(ifNoneMatch, tag);
  const cache = answerCache();
  const kept = isKnown ? undefined : cache?.get(tag);
  const body = isKnown ? undefined : (kept ?? (await read()));
  if (body instanceof Uint8Array && !kept) cache?.set(tag, body);
  Object.assign(headers, { ETag: tag, 'Cache-Control': 'private, no-cache' });
  // A tag was given with a 200 to this very address; whether "*" is true only the read could tell.
  return isKnown || ifNoneMatch?.trim() === '*'
    ? { status: 304, headers: untyped(headers), body: undefined }
    : { status: 200, headers, body };
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

/** For an answer without a body. */
function untyped({ 'Content-Type': _, ...headers }: Record<string, string>) {
  return headers;
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

function baseHeaders(requestId: string, route: Route | undefined): Record<string, string> {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    ...(route?.cors && openHeaders),
  };
}

/** Needs no key: browsers send none. */
function preflight(route: Route, headers: Record<string, string>): RestAnswer {
  return {
    status: 204,
    headers: {
      ...untyped(headers),
      Allow: allowedMethods(route),
      ...preflightHeaders(route),
    },
    body: undefined,
  };
}

import { randomUUID } from 'node:crypto';
import { createLaterCheck } from '../api/access';
import { bodyCap } from '../api/body';
import { ApiError, toApiError, withoutReason } from '../api/errors';
import { rerunIfLarge } from '../api/large-answers';
import { modeOf, ownerOf, type Principal, requireScope } from '../api/principal';
import { noteRequestOf } from '../api/recent-accounts';
import { authenticateApiKey } from '../api-keys/authenticate';
import type { Writer } from '../database/writer';
import { answerOnce } from '../idempotency/answer-once';
import { readIdempotencyKey } from '../idempotency/key';
import { log } from '../logging/log';
import { meter } from '../metrics/meter';
import { allowedMethods, findRoute, mountPath, type Operation, type Route } from '../operations';
import { announceDue } from '../outbox/due';
import { countRequest } from '../rate-limit/counter';
import { rateLimitHeaders, secondsUntil } from '../rate-limit/headers';
import { answerCache } from './answer-cache';
import { baseHeaders, preflightAnswerHeaders, withoutContentType } from './answer-headers';
import { anyOrigin, setExposed } from './cors';
import { documentTag, entityTag, includesTag } from './entity-tag';
import type { Defer, Exchange, RestAnswer, RestRequest } from './exchange';
import { comparableBody, knownFields, readJson, readQuery, refuseUnknownParameters } from './input';
import { dispatch, type MountedCall } from './mount';
import { openApiDocument } from './openapi/document';
import { asksForStrictHandling } from './prefer';
import { logAnswered, noteAnswered } from './record';
import { withoutNeedlessEscapes } from './request-target';
import { type Bytes, utf8Of } from './utf8';

/**
 * One request to `/api/v1` in, one answer out; never throws. The order of the checks: route →
 * preflight → authentication → rate limit → method → scope → body → schema → operation.
 */
export async function handleRest(received: RestRequest, defer: Defer): Promise<RestAnswer> {
  const receivedAt = Date.now();
  const startedAt = performance.now();
  const requestId = randomUUID();
  const request = { ...received, path: withoutNeedlessEscapes(received.path) };
  const { method, path, search } = request;
  const route = findRoute(path);
  const headers = baseHeaders(requestId, route);
  const sentPath = received.path;
  const exchange: Exchange = { request, route, headers, sentPath, isStrict: false, defer };
  const { answer, error } = await respond(exchange);
  const { principal } = exchange;
  // What failed may have written before, as an import does by several statements.
  const mayHaveWritten = !isRead(method) && (!error || error.status >= 500);
  if (principal && mayHaveWritten) defer(() => announceDue(principal.accountId));
  const answered = {
    requestId,
    receivedAt,
    durationMs: performance.now() - startedAt,
    method,
    path,
    search,
    route,
    status: answer.status,
    error,
    caller: exchange.caller,
    isAuthenticated: principal !== undefined,
    tookOfLimit: exchange.tookOfLimit ?? false,
    body: exchange.body,
  };
  logAnswered(answered);
  const afterwards = noteAnswered(answered);
  if (afterwards) defer(afterwards);
  const { body } = answer;
  if (method === 'HEAD' || !body) return { ...answer, body: undefined };
  const isWhole = body instanceof Uint8Array || Array.isArray(body);
  if (principal) answer.accountId = ownerOf(principal);
  return isWhole ? answer : { ...answer, body: logged(body, requestId) };
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
    const error = withoutReason(toApiError(thrown));
    const { headers } = exchange;
    // RFC 9110, section 11.6.1.
    if (error.status === 401) headers['WWW-Authenticate'] = 'Bearer';
    const { retryAfterSeconds } = error;
    if (retryAfterSeconds !== undefined) headers['Retry-After'] = String(retryAfterSeconds);
    const body = utf8Of(JSON.stringify(error.body));
    return { answer: { status: error.status, headers, body }, error };
  }
}

async function answerTo(exchange: Exchange): Promise<RestAnswer> {
  const { request, route, headers } = exchange;
  const isDocument = /^\/openapi\.json\/?$/.test(request.path);
  if (isDocument && isRead(request.method)) {
    Object.assign(headers, anyOrigin);
    const read = async () => utf8Of(openApiDocument());
    return conditional(exchange, documentTag(), read);
  }
  if (route?.cors && request.method === 'OPTIONS') {
    // Needs no key: browsers send none.
    return { status: 204, headers: preflightAnswerHeaders(route, headers), body: undefined };
  }
  const principal = await authenticate(exchange);
  await count(exchange, principal);
  if (isDocument) throw notAllowed(headers, 'GET, HEAD');
  const operation = findOperation(route, request.method, headers);
  requireScope(principal, operation.scope);
  if (asksForStrictHandling(request.prefer)) handleStrictly(exchange);
  const key = operation.takesKey ? readIdempotencyKey(request.idempotencyKey) : undefined;
  // Before an answer out of the cache; but what carries a key has it looked up first.
  if (key === undefined) refuseUnknown(exchange, operation);
  const { accountId, version = '' } = principal;
  const owner = ownerOf(principal);
  const { path, search, whenGone } = request;
  const requireAccess = async () => {
    const { principal } = await authenticateApiKey(request.authorization);
    requireScope(principal, operation.scope);
  };
  const requireAccessStill = createLaterCheck(requireAccess);
  const run = ({ input, isLarge, writer }: Run) => {
    const { isStrict } = exchange;
    const access = { checkedScope: operation.scope, requireAccess, requireAccessStill };
    const context = { principal, isStrict, whenGone, writer, ...access };
    return dispatch({ operation, path, ...input, context, isLarge });
  };
  const readAndRun = async () => {
    const input = await readInput(operation, exchange, owner);
    return encoded(await rerunIfLarge(owner, ({ isLarge }) => run({ input, isLarge })));
  };
  if (operation.isConditional) {
    return conditional(exchange, entityTag({ accountId, version, path, search }), readAndRun);
  }
  const { status, body } =
    key === undefined
      ? { status: operation.success, body: await readAndRun() }
      : await runOnce(exchange, { principal, key, requireAccessStill }, operation, run);
  if (operation.contentType) headers['Content-Type'] = operation.contentType;
  return { status, headers: body ? headers : withoutContentType(headers), body };
}

/**
 * From here on what the operation does not know is refused. It makes no other answer, only fewer of
 * them, so nothing varies by it.
 */
function handleStrictly(exchange: Exchange): void {
  exchange.isStrict = true;
  setExposed(exchange.headers, 'Preference-Applied', 'handling=strict');
}

function refuseUnknown({ request, isStrict }: Exchange, { takesBody, fields }: Operation): void {
  if (isStrict) refuseUnknownParameters(request.search, takesBody ? new Map() : fields);
}

type Input = Pick<MountedCall, 'query' | 'body'>;

type Output = Awaited<ReturnType<typeof dispatch>>;

/** One run of a procedure, of which a request may take two. */
type Run = { input: Input; isLarge: boolean; writer?: Writer };

async function readInput(operation: Operation, exchange: Exchange, owner: string): Promise<Input> {
  const { takesBody, fields } = operation;
  const { request, isStrict } = exchange;
  if (!takesBody) return { query: readQuery(request.search, fields), body: undefined };
  const body = await readBody(operation, exchange, owner);
  return { query: {}, body: knownFields(body, fields, isStrict) };
}

async function readBody(
  { isBodyOptional: isOptional }: Operation,
  exchange: Exchange,
  owner: string,
): Promise<unknown> {
  const maxBytes = bodyCap(mountPath + exchange.sentPath);
  const { body, whenGone } = exchange.request;
  exchange.body = await readJson(body, { maxBytes, isOptional, owner, whenGone });
  return exchange.body;
}

/** The call of a request that carries a key: made, or answered as it was before. */
async function runOnce(
  exchange: Exchange,
  by: { principal: Principal; key: string; requireAccessStill: () => Promise<void> },
  operation: Operation,
  run: (run: Run) => Promise<Output>,
): Promise<Pick<RestAnswer, 'status' | 'body'>> {
  const { request, headers, isStrict } = exchange;
  const { success, isSecret, fields } = operation;
  const { key, requireAccessStill } = by;
  const owner = ownerOf(by.principal);
  const body = await readBody(operation, exchange, owner);
  // The names in a path that was found are in lower case, and of a UUID letter case tells nothing.
  const path = request.path.toLowerCase();
  const facts = { method: request.method, path, body: comparableBody(body, fields) };
  // Until the answer is kept, since it is in memory until then.
  const { accountId } = by.principal;
  const asked = { accountId, key, facts, success, isSecret, requireAccessStill };
  const answer = await rerunIfLarge(owner, ({ isLarge }) =>
    answerOnce(asked, async (writer) => {
      refuseUnknown(exchange, operation);
      const input = { query: {}, body: knownFields(body, fields, isStrict) };
      const output = await run({ input, isLarge, writer });
      return isKept(output) ? output : '';
    }),
  );
  if (answer.isReplayed) setExposed(headers, 'Idempotency-Replayed', 'true');
  return { status: answer.status, body: encoded(answer.body || undefined) };
}

/** What follows a change is no stream. */
function isKept(output: Output): output is string | Bytes[] {
  return typeof output === 'string' || Array.isArray(output);
}

function encoded(output: Output): RestAnswer['body'] {
  return typeof output === 'string' ? utf8Of(output) : output;
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
  meter()?.cacheAsked(isKnown ? 'not_modified' : kept ? 'hit' : 'miss');
  Object.assign(headers, { ETag: tag, 'Cache-Control': 'private, no-cache' });
  // A tag was given with a 200 to this very address; whether "*" is true only the read could tell.
  return isKnown || ifNoneMatch?.trim() === '*'
    ? { status: 304, headers: withoutContentType(headers), body: undefined }
    : { status: 200, headers, body };
}

async function authenticate(exchange: Exchange): Promise<Principal> {
  const { principal, noteUse } = await authenticateApiKey(
    exchange.request.authorization,
    (caller) => {
      exchange.caller = caller;
    },
  );
  exchange.principal = principal;
  noteRequestOf(ownerOf(principal));
  if (noteUse) exchange.defer(noteUse);
  return principal;
}

/** Every authenticated request counts, whatever becomes of it; from here on the headers say so. */
async function count(exchange: Exchange, principal: Principal): Promise<void> {
  const { state, isExceeded } = await countRequest(principal.accountId, modeOf(principal));
  Object.assign(exchange.headers, rateLimitHeaders(state));
  exchange.tookOfLimit = !isExceeded;
  if (!isExceeded) return;
  meter()?.limited('api');
  throw new ApiError('RATE_LIMIT_EXCEEDED', {
    details: { limit: state.limit, reset: String(state.resetAt) },
    retryAfterSeconds: secondsUntil(state.resetAt, Date.now()),
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
  throw notAllowed(headers, allowedMethods(route));
}

function notAllowed(headers: Record<string, string>, allowed: string): ApiError {
  headers.Allow = allowed;
  return new ApiError('METHOD_NOT_ALLOWED');
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

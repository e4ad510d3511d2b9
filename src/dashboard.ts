import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { sessionPrincipal } from './accounts/auth/session';
import { createLaterCheck } from './api/access';
import { maxBatchSize } from './api/batch-size';
import { ApiError, toApiError } from './api/errors';
import { logFailure } from './api/failure-log';
import { rerunIfLarge } from './api/large-answers';
import { isOwnOrigin } from './api/origin';
import { ownerOf, type Principal } from './api/principal';
import { noteRequestOf, restMsAfter } from './api/recent-accounts';
import type { Context, Once } from './api/trpc';
import { createFairPlaces, runInPlace } from './fair-places';
import { answerOnce } from './idempotency/answer-once';
import { readIdempotencyKey } from './idempotency/key';
import { meter } from './metrics/meter';
import { type Mode, modeHeader } from './mode';
import { announceDue } from './outbox/due';
import { countProcedure } from './rate-limit/counter';
import { dashboardLimits } from './rate-limit/limits';
import type { Defer } from './rest/exchange';
import { createLargeOutputs, type LargeOutputs } from './rest/large-outputs';
import { pacedBody } from './rest/paced-body';
import { appRouter } from './router';
import { singleton } from './singleton';

/** Procedures of one account: they share the database's connections with all others. */
const placesOfAccount = {
  perKey: 4,
  waitingPerKey: dashboardLimits.account.requests,
  restMs: restMsAfter,
};

/** They are in memory together until the last of a batch is there. */
const largeAnswersOfRequest = 2;

/** How long a procedure waits for one of its account's places. */
const waitMs = 60_000;

/**
 * The procedures for the dashboard: a session opens them, an API key opens nothing here. Pages of
 * other origins are refused.
 */
export async function handleDashboardRequest(request: Request, defer: Defer): Promise<Response> {
  if (!isOwnOrigin(request.headers)) return Response.json(null, { status: 403 });
  const outputs = createLargeOutputs();
  let accountId = '';
  let shownAccountId: string | undefined;
  const written = await fetchRequestHandler({
    endpoint: '/api/trpc',
    req: asOneAnswer(request),
    router: appRouter,
    maxBatchSize,
    createContext: async ({ resHeaders }) => {
      const principal = await sessionPrincipal(request.headers, resHeaders);
      if (principal) accountId = ownerOf(principal);
      shownAccountId = principal?.accountId;
      const requireAccess = async () => {
        const present = await sessionPrincipal(request.headers);
        if (!present || present.sessionId !== principal?.sessionId) {
          throw new ApiError('UNAUTHORIZED');
        }
      };
      return {
        ...dashboardContext(principal, shownMode(request.headers), outputs, requireAccess),
        once: principal ? onceWith(principal, request.headers, requireAccess) : undefined,
      };
    },
    onError: ({ error, path }) => logFailedProcedure(error, path),
  });
  const pieces = outputs.setInto(new Uint8Array(await written.arrayBuffer()));
  const { status, headers } = written;
  const [body] = pieces;
  const isWhole = pieces.length === 1 && body !== undefined;
  const response = new Response(pacedBody(accountId, isWhole ? body : pieces), {
    status,
    headers,
  });
  // A batch that failed in part has written the rest.
  if (request.method === 'POST') defer(() => announceDue(shownAccountId));
  response.headers.set('Cache-Control', 'no-store');
  return response;
}

/**
 * What procedures are given that a page calls, from the browser or as it is rendered. Each is
 * counted, and runs when the account has a place free; uploads are counted only, since one takes as
 * long as its sender likes. Both modes of an account have these places together. Large answers are
 * given to `outputs`; a page that is rendered has none, and leaves them to the browser to ask for.
 * `requireAccess` is asked again of whoever has waited, who may have been signed out meanwhile.
 */
export function dashboardContext(
  principal: Principal | null,
  shownMode?: Mode,
  outputs?: LargeOutputs,
  requireAccess?: () => Promise<void>,
): Context {
  const requireAccessStill = requireAccess && createLaterCheck(requireAccess);
  const shown = { principal, shownMode, requireAccess, requireAccessStill };
  if (!principal?.sessionId) return shown;
  const { sessionId } = principal;
  const accountId = ownerOf(principal);
  noteRequestOf(accountId);
  const places = singleton('dashboard-places', () => createFairPlaces(placesOfAccount));
  let largeAnswers = 0;
  return {
    ...shown,
    admit: async (run, { isUpload }) => {
      const { isExceeded } = await countProcedure({ sessionId, accountId });
      if (isExceeded) {
        meter()?.limited('dashboard');
        throw refused();
      }
      if (isUpload) return run();
      return runInPlace(places, accountId, { waitMs, refused }, async () => {
        await requireAccessStill?.();
        return rerunIfLarge(accountId, async ({ isLarge }) => {
          if (!isLarge) return run();
          if (!outputs || ++largeAnswers > largeAnswersOfRequest) throw tooLarge();
          const result = await run();
          await outputs.take(result.data);
          return result;
        });
      });
    },
  };
}

/**
 * tRPC streams a batch line by line to whoever asks for that, which no page does. Large answers are set
 * into JSON that is written whole: in lines their rows would be missing.
 */
function asOneAnswer(request: Request): Request {
  const asking = ['trpc-accept', 'accept'].filter((name) =>
    request.headers.get(name)?.includes('jsonl'),
  );
  if (asking.length === 0) return request;
  const headers = new Headers(request.headers);
  for (const name of asking) headers.delete(name);
  return new Request(request, { headers });
}

function shownMode(headers: Headers): Mode {
  return headers.get(modeHeader) === 'test' ? 'test' : 'live';
}

/**
 * For a page as for a client of the API: the same facility, under paths of its own. No browser sends the
 * header by itself. @throws ApiError VALIDATION_ERROR where what it says is no key
 */
function onceWith(
  { accountId }: Principal,
  headers: Headers,
  requireAccess: () => Promise<void>,
): Once | undefined {
  const key = readIdempotencyKey(headers.get('Idempotency-Key'));
  if (key === undefined) return undefined;
  const requireAccessStill = createLaterCheck(requireAccess);
  return {
    key,
    async answer({ path, input, isSecret }, run) {
      const facts = { method: 'POST', path: `/api/trpc/${path}`, body: input };
      const { body } = await answerOnce(
        { accountId, key, facts, success: 200, isSecret, requireAccessStill },
        async (writer) => JSON.stringify(await run(writer)),
      );
      return JSON.parse(typeof body === 'string' ? body : Buffer.concat(body).toString());
    },
  };
}

const refused = () =>
  new ApiError('RATE_LIMIT_EXCEEDED', {
    message: 'That was a lot within a minute. Wait a minute and try again.',
  });

const tooLarge = () =>
  new ApiError('RATE_LIMIT_EXCEEDED', {
    message: 'That is too much for one request. Ask for fewer rows, or one list at a time.',
  });

/** Writes to the log what the page is not told. */
export function logFailedProcedure(error: unknown, procedure: string | undefined): void {
  logFailure({ procedure }, toApiError(error), 'procedure failed');
}

import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { sessionPrincipal } from './accounts/session';
import { maxBatchSize } from './api/batch-size';
import { ApiError, toApiError } from './api/errors';
import { describeFailure } from './api/failure-log';
import { isOwnOrigin } from './api/origin';
import type { Principal } from './api/principal';
import type { Context } from './api/trpc';
import { createFairPlaces } from './fair-places';
import { log } from './log';
import { announceDue } from './outbox/due';
import { countProcedure } from './rate-limit/counter';
import { dashboardLimits } from './rate-limit/limits';
import type { Defer } from './rest/rest';
import { appRouter } from './router';
import { singleton } from './singleton';

/** Procedures of one account: they share the database's connections with all others. */
const placesOfAccount = { perKey: 4, waitingPerKey: dashboardLimits.account.requests };

/** How long a procedure waits for one of them. */
const waitMs = 60_000;

/**
 * The procedures for the dashboard: a session opens them, an API key opens nothing here. Pages of
 * other origins are refused.
 */
export async function handleDashboardRequest(request: Request, defer: Defer): Promise<Response> {
  if (!isOwnOrigin(request.headers)) return Response.json(null, { status: 403 });
  const response = await fetchRequestHandler({
    endpoint: '/api/trpc',
    req: request,
    router: appRouter,
    maxBatchSize,
    createContext: async ({ resHeaders }) =>
      dashboardContext(await sessionPrincipal(request.headers, resHeaders)),
    onError: ({ error, path }) => logFailedProcedure(error, path),
  });
  // A batch that failed in part has written the rest.
  if (request.method === 'POST') defer(announceDue);
  response.headers.set('Cache-Control', 'no-store');
  return response;
}

/**
 * What procedures are given that a page calls, from the browser or as it is rendered. Each is
 * counted, and runs when the account has a place free; uploads are counted only, since one takes as
 * long as its sender likes.
 */
export function dashboardContext(principal: Principal | null): Context {
  const { accountId, sessionId } = principal ?? {};
  if (accountId === undefined || sessionId === undefined) return { principal };
  const places = singleton('dashboard-places', () => createFairPlaces(placesOfAccount));
  return {
    principal,
    admit: async (run, { isUpload }) => {
      const { isExceeded } = await countProcedure({ sessionId, accountId });
      if (isExceeded) throw new ApiError('RATE_LIMIT_EXCEEDED', { message: tooMany });
      if (isUpload) return run();
      const late = AbortSignal.timeout(waitMs);
      const leave = await places.enter(accountId, late).catch((error: unknown) => {
        if (!late.aborted) throw error;
      });
      if (!leave) throw new ApiError('RATE_LIMIT_EXCEEDED', { message: tooMany });
      try {
        return await run();
      } finally {
        leave();
      }
    },
  };
}

const tooMany = 'That was a lot within a minute. Wait a minute and try again.';

/** Writes to the log what the page is not told. */
export function logFailedProcedure(error: unknown, procedure: string | undefined): void {
  const failure = toApiError(error);
  const line = { procedure, ...describeFailure(failure) };
  if (failure.status >= 500) log().error(line, 'procedure failed');
  else log().info(line, 'procedure failed');
}

import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { sessionPrincipal } from './accounts/session';
import { toApiError } from './api/errors';
import { describeFailure } from './api/failure-log';
import { isOwnOrigin } from './api/origin';
import { log } from './log';
import { announceDue } from './outbox/due';
import type { Defer } from './rest/rest';
import { appRouter } from './router';

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
    createContext: async ({ resHeaders }) => ({
      principal: await sessionPrincipal(request.headers, resHeaders),
    }),
    onError: ({ error, path }) => logFailedProcedure(error, path),
  });
  // A batch that failed in part has written the rest.
  if (request.method === 'POST') defer(announceDue);
  response.headers.set('Cache-Control', 'no-store');
  return response;
}

/** Writes to the log what the page is not told. */
export function logFailedProcedure(error: unknown, procedure: string | undefined): void {
  const failure = toApiError(error);
  const line = { procedure, ...describeFailure(failure) };
  if (failure.status >= 500) log().error(line, 'procedure failed');
  else log().info(line, 'procedure failed');
}

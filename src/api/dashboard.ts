import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { sessionPrincipal } from '../accounts/session';
import { log } from '../log';
import { startDelivery } from '../webhooks/start-delivery';
import { toApiError } from './errors';
import { describeFailure } from './log-line';
import type { Defer } from './rest';
import { appRouter } from './router';

/** The procedures for the dashboard: a session opens them, an API key opens nothing here. */
export async function handleDashboardRequest(request: Request, defer: Defer): Promise<Response> {
  const response = await fetchRequestHandler({
    endpoint: '/api/trpc',
    req: request,
    router: appRouter,
    createContext: async () => ({ principal: await sessionPrincipal(request.headers) }),
    onError: ({ error, path }) => {
      const failure = toApiError(error);
      const line = { procedure: path, ...describeFailure(failure) };
      if (failure.status >= 500) log().error(line, 'procedure failed');
      else log().info(line, 'procedure failed');
    },
  });
  // A batch that failed in part has written the rest.
  if (request.method === 'POST') defer(startDelivery);
  return response;
}

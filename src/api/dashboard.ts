import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { sessionPrincipal } from '../accounts/session';
import { log } from '../log';
import { toApiError } from './errors';
import { describeFailure } from './log-line';
import { appRouter } from './router';

/** The procedures for the dashboard: a session opens them, an API key opens nothing here. */
export function handleDashboardRequest(request: Request): Promise<Response> {
  return fetchRequestHandler({
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
}

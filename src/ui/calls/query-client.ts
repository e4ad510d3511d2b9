import { QueryClient, type QueryClientConfig } from '@tanstack/react-query';
import { codeOf, isLate, statusOf } from './errors';

/** The same settings for the browser and for the server that renders the first paint. */
export function createQueryClient(config: QueryClientConfig = {}): QueryClient {
  return new QueryClient({
    ...config,
    defaultOptions: {
      queries: {
        // What the server rendered is not asked for again at once.
        staleTime: 20_000,
        // Only what may pass by itself, and soon: a refusal stays one, and what was not answered in time
        // kept the person waiting for long enough. Nothing while a page is rendered, which
        // would wait for seconds: the browser asks for what is missing there.
        retry: (failures, error) =>
          typeof window !== 'undefined' && failures < 2 && isWorthRetrying(error),
      },
      // Offline, a change fails at once. Put off until the network is back, it would be made after
      // the person has turned away from it.
      mutations: { networkMode: 'always' },
      // Instants reach the browser as text, whether it asks or the server puts them into the page.
      dehydrate: { serializeData: (data: unknown) => JSON.parse(JSON.stringify(data ?? null)) },
    },
  });
}

function isWorthRetrying(error: unknown): boolean {
  const [code, status] = [codeOf(error), statusOf(error)];
  if (code !== undefined) return code === 'INTERNAL_ERROR';
  return status === undefined ? !isLate(error) : status >= 500;
}

'use client';
import { MantineProvider } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import { type ReactNode, useState } from 'react';
import { maxBatchSize } from '@/src/api/batch-size';
import type { AppRouter } from '@/src/router';
import { createQueryClient } from './query-client';
import { cssVariables, theme } from './theme';
import { TRPCProvider } from './trpc';

let ofThisBrowser: QueryClient | undefined;

/** One cache for the browser; on the server one per request, or people would share theirs. */
function queryClient(): QueryClient {
  if (typeof window === 'undefined') return createQueryClient();
  ofThisBrowser ??= createQueryClient();
  return ofThisBrowser;
}

export function AppearanceProvider({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      {children}
    </MantineProvider>
  );
}

/** What a page that calls procedures stands in. */
export function DataProvider({ children }: { children: ReactNode }) {
  const client = queryClient();
  const [trpcClient] = useState(() =>
    createTRPCClient<AppRouter>({
      links: [httpBatchLink({ url: '/api/trpc', maxItems: maxBatchSize })],
    }),
  );
  return (
    <QueryClientProvider client={client}>
      <TRPCProvider trpcClient={trpcClient} queryClient={client}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}

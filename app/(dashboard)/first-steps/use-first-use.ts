'use client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTRPC } from '@/src/ui/calls/trpc';

/** Whether a request with the key has come in, looked for every `everyMs`; not, where there is no key. */
export function useFirstUse(id: string | undefined, everyMs: number): boolean {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { data } = useQuery(
    trpc.apiKeys.get.queryOptions(
      { id: id ?? '' },
      {
        enabled: id !== undefined,
        refetchInterval: ({ state }) => (state.data?.last_used_at ? false : everyMs),
        staleTime: 0,
      },
    ),
  );
  const isUsed = Boolean(data?.last_used_at);
  useEffect(() => {
    if (!isUsed) return;
    // The page behind shows it too.
    void queryClient.invalidateQueries(trpc.apiKeys.list.queryFilter());
    void queryClient.invalidateQueries(trpc.apiKeys.usage.queryFilter());
  }, [isUsed, queryClient, trpc]);
  return isUsed;
}

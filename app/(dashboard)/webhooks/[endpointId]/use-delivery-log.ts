'use client';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { useTRPC } from '@/src/ui/calls/trpc';
import type { Delivery } from '@/src/webhooks/delivery-schema';
import { type DeliveriesView, deliveriesInput, deliveryPaging } from './deliveries-view';
import { withDelivery, withNewest } from './delivery-log';
import { useIsBeingDeleted } from './use-is-being-deleted';

/** Often while something is on its way, seldom otherwise. */
const refreshMs = { pending: 3_000, settled: 15_000 };

/**
 * The deliveries of an endpoint as far down as they were asked for. Of them the newest page is read
 * again and again; `note` puts in what was learned of one of them elsewhere.
 */
export function useDeliveryLog(endpointId: string, view: DeliveriesView) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const isBeingDeleted = useIsBeingDeleted();
  const input = deliveriesInput(endpointId, view);
  const pages = trpc.webhooks.deliveries.list.infiniteQueryOptions(input, deliveryPaging);
  const log = useInfiniteQuery({
    ...pages,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const rows = log.data?.pages.flatMap((page) => page.data);
  const [first] = log.data?.pages ?? [];
  const isMoving = first?.data.some((row) => row.state === 'pending') ?? false;
  const newest = useQuery(
    trpc.webhooks.deliveries.list.queryOptions(input, {
      enabled: log.isSuccess && !isBeingDeleted,
      initialData: first,
      initialDataUpdatedAt: log.dataUpdatedAt,
      refetchInterval: isMoving ? refreshMs.pending : refreshMs.settled,
    }),
  );
  const key = JSON.stringify(pages.queryKey);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key by what it says
  useEffect(() => {
    const known = queryClient.getQueryState(pages.queryKey);
    if (!newest.data || !known?.data || newest.dataUpdatedAt <= known.dataUpdatedAt) return;
    const merged = withNewest(known.data, newest.data);
    if (merged) queryClient.setQueryData(pages.queryKey, merged);
    // More came than one page holds: what is between must be read.
    else void queryClient.invalidateQueries({ queryKey: pages.queryKey, exact: true });
  }, [newest.data, newest.dataUpdatedAt, key]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key by what it says
  const note = useCallback(
    (delivery: Delivery) => {
      queryClient.setQueryData(pages.queryKey, (known) => known && withDelivery(known, delivery));
    },
    [queryClient, key],
  );
  return { log, rows, note };
}

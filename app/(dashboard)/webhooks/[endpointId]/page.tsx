import { dehydrate, HydrationBoundary } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { requireExisting, serverData } from '../../data';
import { deliveriesInput, deliveryPaging, parseView } from './deliveries-view';
import { EndpointDetail } from './endpoint-detail';

export const metadata: Metadata = { title: 'Webhook endpoint' };

export default async function EndpointPage(props: {
  params: Promise<{ endpointId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { endpointId } = await props.params;
  const { queryClient, trpc } = await serverData(`/webhooks/${endpointId}`);
  const view = parseView(await props.searchParams);
  const { endpoints, deliveries } = trpc.webhooks;
  await Promise.all([
    requireExisting(queryClient.fetchQuery(endpoints.get.queryOptions({ id: endpointId }))),
    queryClient.prefetchInfiniteQuery(
      deliveries.list.infiniteQueryOptions(deliveriesInput(endpointId, view), deliveryPaging),
    ),
    view.delivery && queryClient.prefetchQuery(deliveries.get.queryOptions({ id: view.delivery })),
  ]);
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <EndpointDetail id={endpointId} />
    </HydrationBoundary>
  );
}

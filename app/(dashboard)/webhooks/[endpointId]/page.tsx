import { dehydrate } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { PageData } from '@/src/ui/shown-mode';
import { requireExisting, serverData } from '../../data';
import { historyInput, historyPaging } from '../../history/paging';
import { deliveriesForm, deliveriesInput, deliveryPaging } from './deliveries-view';
import { EndpointDetail } from './endpoint-detail';

export const metadata: Metadata = { title: 'Webhook endpoint' };

export default async function EndpointPage(props: {
  params: Promise<{ endpointId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { endpointId } = await props.params;
  const view = deliveriesForm.parse(await props.searchParams);
  const { queryClient, trpc, shown } = await serverData(
    `/webhooks/${endpointId}${deliveriesForm.format(view)}`,
  );
  const { endpoints, deliveries } = trpc.webhooks;
  await Promise.all([
    requireExisting(queryClient.fetchQuery(endpoints.get.queryOptions({ id: endpointId }))),
    queryClient.prefetchInfiniteQuery(
      deliveries.list.infiniteQueryOptions(deliveriesInput(endpointId, view), deliveryPaging),
    ),
    queryClient.prefetchInfiniteQuery(
      trpc.audit.list.infiniteQueryOptions(historyInput(endpointId), historyPaging),
    ),
    view.delivery && queryClient.prefetchQuery(deliveries.get.queryOptions({ id: view.delivery })),
  ]);
  return (
    <PageData shown={shown} state={dehydrate(queryClient)}>
      <EndpointDetail id={endpointId} />
    </PageData>
  );
}

import { dehydrate } from '@tanstack/react-query';
import type { Metadata } from 'next';
import type { Query } from '@/src/ui/browser/use-view';
import { PageData } from '@/src/ui/session/shown-mode';
import { requireExisting, serverData } from '../../data';
import { historyInput, historyPaging } from '../../history/paging';
import { deliveriesForm, deliveriesInput, deliveryPaging } from './deliveries-view';
import { EndpointDetail } from './endpoint-detail';
import { titleOf } from './title';

type Props = {
  params: Promise<{ endpointId: string }>;
  searchParams: Promise<Query>;
};

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { endpoint } = await endpointData(props);
  return { title: titleOf(await endpoint.catch(() => undefined)) };
}

async function endpointData(props: Props) {
  const { endpointId } = await props.params;
  const view = deliveriesForm.parse(await props.searchParams);
  const data = await serverData();
  const endpoint = data.queryClient.fetchQuery(
    data.trpc.webhooks.endpoints.get.queryOptions({ id: endpointId }),
  );
  return { ...data, endpointId, view, endpoint };
}

export default async function EndpointPage(props: Props) {
  const { endpointId, view, queryClient, trpc, shown, endpoint } = await endpointData(props);
  const { deliveries } = trpc.webhooks;
  await Promise.all([
    requireExisting(endpoint),
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

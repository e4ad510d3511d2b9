import { dehydrate } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { PageData } from '@/src/ui/shown-mode';
import { requireExisting, serverData } from '../../data';
import { historyInput, historyPaging } from '../../history/paging';
import { deliveriesForm, deliveriesInput, deliveryPaging } from './deliveries-view';
import { EndpointDetail } from './endpoint-detail';

type Props = {
  params: Promise<{ endpointId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

/**
 * Several may be open in tabs, and are in what a browser remembers. Of an address the host alone: what
 * stands behind it may be a secret of the receiver's.
 */
export async function generateMetadata(props: Props): Promise<Metadata> {
  const { endpoint } = await endpointData(props);
  const name = await endpoint.then(
    ({ description, url }) => `${description || new URL(url).host} · `,
    () => '',
  );
  return { title: `${name}Webhook endpoint` };
}

async function endpointData(props: Props) {
  const { endpointId } = await props.params;
  const view = deliveriesForm.parse(await props.searchParams);
  const data = await serverData(`/webhooks/${endpointId}${deliveriesForm.format(view)}`);
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

import { dehydrate } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { operationNames } from '@/src/operations';
import type { Query } from '@/src/ui/browser/use-view';
import { PageData } from '@/src/ui/session/shown-mode';
import { serverData } from '../data';
import { Requests } from './requests';
import { requestsForm, requestsInput, volumeHours } from './requests-view';

export const metadata: Metadata = { title: 'Requests' };

export default async function RequestsPage(props: { searchParams: Promise<Query> }) {
  const view = requestsForm.parse(await props.searchParams);
  const { queryClient, trpc, shown } = await serverData();
  const { list, volume, keys, get } = trpc.requests;
  await Promise.all([
    queryClient.prefetchQuery(list.queryOptions(requestsInput(view))),
    queryClient.prefetchQuery(volume.queryOptions({ hours: volumeHours(view) })),
    queryClient.prefetchQuery(keys.queryOptions()),
    view.request && queryClient.prefetchQuery(get.queryOptions({ id: view.request })),
  ]);
  return (
    <PageData shown={shown} state={dehydrate(queryClient)}>
      <Requests routes={operationNames} />
    </PageData>
  );
}

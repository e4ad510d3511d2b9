import { dehydrate } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { PageData } from '@/src/ui/session/shown-mode';
import { serverData } from '../data';
import { pageOfSpaces, spacePaging } from './paging';
import { Spaces } from './spaces';

export const metadata: Metadata = { title: 'Spaces' };

export default async function SpacesPage() {
  const { queryClient, trpc, shown } = await serverData();
  await queryClient.prefetchInfiniteQuery(
    trpc.spaces.list.infiniteQueryOptions(pageOfSpaces, spacePaging),
  );
  return (
    <PageData shown={shown} state={dehydrate(queryClient)}>
      <Spaces />
    </PageData>
  );
}

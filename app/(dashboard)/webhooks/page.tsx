import { dehydrate } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { PageData } from '@/src/ui/session/shown-mode';
import { serverData } from '../data';
import { Endpoints } from './endpoints';

export const metadata: Metadata = { title: 'Webhooks' };

export default async function WebhooksPage() {
  const { queryClient, trpc, shown } = await serverData();
  await queryClient.prefetchQuery(trpc.webhooks.endpoints.list.queryOptions());
  return (
    <PageData shown={shown} state={dehydrate(queryClient)}>
      <Endpoints />
    </PageData>
  );
}

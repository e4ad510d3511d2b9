import { dehydrate, HydrationBoundary } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { serverData } from '../data';
import { Endpoints } from './endpoints';

export const metadata: Metadata = { title: 'Webhooks' };

export default async function WebhooksPage() {
  const { queryClient, trpc } = await serverData('/webhooks');
  await queryClient.prefetchQuery(trpc.webhooks.endpoints.list.queryOptions());
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <Endpoints />
    </HydrationBoundary>
  );
}

import { dehydrate } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { PageData } from '@/src/ui/session/shown-mode';
import { serverData } from '../data';
import { ApiKeys } from './api-keys';

export const metadata: Metadata = { title: 'API keys' };

export default async function ApiKeysPage() {
  const { queryClient, trpc, shown } = await serverData();
  await Promise.all([
    queryClient.prefetchQuery(trpc.apiKeys.list.queryOptions()),
    queryClient.prefetchQuery(trpc.apiKeys.usage.queryOptions()),
    queryClient.prefetchQuery(trpc.account.get.queryOptions()),
  ]);
  return (
    <PageData shown={shown} state={dehydrate(queryClient)}>
      <ApiKeys />
    </PageData>
  );
}

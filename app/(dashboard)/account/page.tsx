import { dehydrate, HydrationBoundary } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { PageHeader } from '@/src/ui/page-header';
import { serverData } from '../data';
import { AccountSettings } from './account-settings';

export const metadata: Metadata = { title: 'Account' };

export default async function AccountPage() {
  const { queryClient, trpc } = await serverData('/account');
  await queryClient.prefetchQuery(trpc.account.get.queryOptions());
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <PageHeader title="Account" />
      <AccountSettings />
    </HydrationBoundary>
  );
}

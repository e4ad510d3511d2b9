import { dehydrate } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { PageHeader } from '@/src/ui/components/page-header';
import { PageData } from '@/src/ui/session/shown-mode';
import { serverData } from '../data';
import { historyInput, historyPaging } from '../history/paging';
import { AccountSettings } from './account-settings';

export const metadata: Metadata = { title: 'Account' };

export default async function AccountPage() {
  const { queryClient, trpc, shown } = await serverData();
  await Promise.all([
    queryClient.prefetchQuery(trpc.account.get.queryOptions()),
    queryClient.prefetchQuery(trpc.account.mail.queryOptions()),
    queryClient.prefetchQuery(trpc.account.sessions.list.queryOptions()),
    queryClient.prefetchInfiniteQuery(
      trpc.audit.list.infiniteQueryOptions(historyInput(), historyPaging),
    ),
  ]);
  return (
    <PageData shown={shown} state={dehydrate(queryClient)}>
      <PageHeader title="Account" />
      <AccountSettings />
    </PageData>
  );
}

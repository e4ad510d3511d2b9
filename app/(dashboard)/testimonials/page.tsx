import { dehydrate } from '@tanstack/react-query';
import type { Metadata } from 'next';
import type { Query } from '@/src/ui/browser/use-view';
import { PageData } from '@/src/ui/session/shown-mode';
import { serverData } from '../data';
import { newestInput, spaceInput } from '../first-steps/polling';
import { Inbox } from './inbox';
import { testimonialPaging } from './paging';
import { spacesInput } from './spaces-input';
import { countInputs, inboxForm, listInput } from './view';

export const metadata: Metadata = { title: 'Inbox' };

export default async function InboxPage(props: { searchParams: Promise<Query> }) {
  const view = inboxForm.parse(await props.searchParams);
  const { queryClient, trpc, shown } = await serverData();
  const { testimonials, spaces, apiKeys, webhooks } = trpc;
  await Promise.all([
    queryClient.prefetchInfiniteQuery(
      testimonials.list.infiniteQueryOptions(listInput(view), testimonialPaging),
    ),
    queryClient.prefetchQuery(spaces.list.queryOptions(spacesInput)),
    ...countInputs(view).map((input) =>
      queryClient.prefetchQuery(testimonials.list.queryOptions(input)),
    ),
  ]);
  const counts = countInputs(view).map((input) =>
    queryClient.getQueryData(testimonials.list.queryKey(input)),
  );
  // What the first steps show.
  if (counts.every((page) => page?.pagination.total === 0)) {
    await Promise.all([
      queryClient.prefetchQuery(testimonials.list.queryOptions(newestInput)),
      queryClient.prefetchQuery(spaces.list.queryOptions(spaceInput)),
      queryClient.prefetchQuery(apiKeys.list.queryOptions()),
      queryClient.prefetchQuery(webhooks.endpoints.list.queryOptions()),
    ]);
  }
  return (
    <PageData shown={shown} state={dehydrate(queryClient)}>
      <Inbox />
    </PageData>
  );
}

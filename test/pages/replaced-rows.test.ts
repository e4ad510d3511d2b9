import { type InfiniteData, QueryClient } from '@tanstack/react-query';
import { createTRPCClient, httpLink } from '@trpc/client';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import type { TestimonialPage } from '@/app/(dashboard)/testimonials/paging';
import { replaceRows } from '@/app/(dashboard)/testimonials/use-decisions';
import type { AppRouter } from '@/src/router';
import { exampleTestimonial } from '@/src/testimonials/schema';

test('a row that two loaded pages have is one that has left', () => {
  const queryClient = new QueryClient();
  const client = createTRPCClient<AppRouter>({ links: [httpLink({ url: 'http://localhost' })] });
  const trpc = createTRPCOptionsProxy<AppRouter>({ client, queryClient });
  const key = trpc.testimonials.list.infiniteQueryKey({ status: 'pending' });
  const page = (...ids: string[]): TestimonialPage => ({
    data: ids.map((id) => ({ ...exampleTestimonial, status: 'pending', id })),
    pagination: { total: 9, limit: 2, offset: 0, has_more: true, next_cursor: null },
  });
  queryClient.setQueryData(key, { pages: [page('a', 'b'), page('b', 'c')], pageParams: [] });
  const approved = { ...exampleTestimonial, status: 'approved' as const, id: 'b' };
  replaceRows({ queryClient, trpc }, [approved], ['c']);
  const after = queryClient.getQueryData<InfiniteData<TestimonialPage>>(key);
  expect(after?.pages.map(({ pagination }) => pagination.total)).toEqual([7, 7]);
});

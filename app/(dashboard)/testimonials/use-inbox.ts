'use client';
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { useTRPC, useTRPCClient } from '@/src/ui/trpc';
import type { Testimonial } from './decisions';
import {
  noteRowCount,
  pagesBefore,
  type TestimonialPage,
  testimonialPaging,
  walkStart,
} from './paging';
import { type InboxView, listInput, type Status } from './view';

/** Where nothing is left to show, one looks out for what comes. */
const emptyRefreshMs = 4_000;

/** The rows that are shown, of at most ten pages, and how to come by the others. */
export function useInbox(view: InboxView, decided: Map<string, Status>) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const input = useMemo(() => listInput(view), [view]);
  const list = useInfiniteQuery(
    trpc.testimonials.list.infiniteQueryOptions(input, {
      ...testimonialPaging,
      refetchInterval: ({ state }) => {
        const rows = state.data?.pages.flatMap((page) => page.data);
        const isShown = (row: Testimonial) => view.status === 'all' || row.status === view.status;
        return rows && !rows.some(isShown) ? emptyRefreshMs : false;
      },
    }),
  );

  const { pages, pageParams } = list.data ?? { pages: [], pageParams: [] };
  const statusOf = useCallback(
    (testimonial: Testimonial) => decided.get(testimonial.id) ?? testimonial.status,
    [decided],
  );
  const shownPages = useMemo(() => {
    const seen = new Set<string>();
    return pages.map((page) =>
      page.data.filter((row) => {
        // Pages that are read again after decisions may begin before the next one does.
        if (seen.has(row.id)) return false;
        seen.add(row.id);
        return view.status === 'all' || statusOf(row) === view.status;
      }),
    );
  }, [pages, statusOf, view.status]);
  useEffect(() => {
    for (const [index, cursor] of pageParams.entries()) {
      if (cursor) noteRowCount(cursor, shownPages[index]?.length ?? 0);
    }
  }, [pageParams, shownPages]);

  const testimonials = useMemo(() => shownPages.flat(), [shownPages]);
  const [firstCursor] = pageParams;
  const rowsBefore = firstCursor
    ? pagesBefore(firstCursor).reduce((sum, { rows }) => sum + rows, 0)
    : 0;

  /** Loads the page that has this row, in place of all that are loaded. */
  async function jumpTo(index: number) {
    if (!firstCursor) return;
    let start = rowsBefore;
    for (const { cursor, rows } of pagesBefore(firstCursor)) {
      start -= rows;
      if (start > index) continue;
      const page = await client.testimonials.list.query({ ...input, cursor });
      queryClient.setQueryData<InfiniteData<TestimonialPage, string | null>>(
        trpc.testimonials.list.infiniteQueryKey(input),
        { pages: [page], pageParams: [cursor] },
      );
      return;
    }
  }

  const newestShown = firstCursor === walkStart ? pages[0]?.data[0]?.created_at : undefined;

  return {
    list,
    /** Whether something came in after the newest row was read. */
    isBehind: (newest: string | undefined) =>
      view.sort === 'newest' &&
      newest !== undefined &&
      newestShown !== undefined &&
      newest > newestShown,
    startAgain() {
      window.scrollTo(0, 0);
      void queryClient.resetQueries(trpc.testimonials.list.infiniteQueryFilter(input));
    },
    testimonials,
    rowsBefore,
    statusOf,
    jumpTo,
    total: pages.at(-1)?.pagination.total,
    isOver: list.data !== undefined && !list.hasNextPage,
  };
}

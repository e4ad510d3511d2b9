'use client';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { useTRPC, useTRPCClient } from '@/src/ui/calls/trpc';
import type { Testimonial } from './decisions';
import {
  eachOnce,
  notePage,
  pagesBefore,
  type TestimonialPage,
  testimonialPaging,
  walkStart,
} from './paging';
import { type InboxView, listInput, type Status } from './view';

/** Where nothing is left to show, one looks out for what comes. */
const emptyRefreshMs = 4_000;

type Jump = { input: ReturnType<typeof listInput>; cursor: string };

export type InboxRows = ReturnType<typeof useInbox>;

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
    for (const [index, page] of pages.entries()) {
      notePage(page, pageParams[index], shownPages[index]?.length ?? 0);
    }
  }, [pages, pageParams, shownPages]);

  const testimonials = useMemo(() => shownPages.flat(), [shownPages]);
  const lastPage = pages.at(-1);
  const leaving = pages
    .flatMap((page) => page.data)
    .filter((row) => row.status === view.status && statusOf(row) !== row.status);
  const [firstCursor] = pageParams;
  const rowsBefore = firstCursor
    ? pagesBefore(firstCursor).reduce((sum, { rows }) => sum + rows, 0)
    : 0;

  const jump = useMutation({ mutationFn: replacePages });

  /** Reads the page anew where a change of its rows was saved meanwhile. */
  async function replacePages({ input, cursor }: Jump): Promise<void> {
    const key = trpc.testimonials.list.infiniteQueryKey(input);
    let before: unknown;
    let page: TestimonialPage;
    do {
      before = queryClient.getQueryData(key);
      page = await client.testimonials.list.query({ ...input, cursor });
    } while (queryClient.getQueryData(key) !== before);
    queryClient.setQueryData(key, { pages: [page], pageParams: [cursor] });
  }

  /** Loads the page that has this row, in place of all that are loaded. */
  function jumpTo(index: number): void {
    if (!firstCursor) return;
    let start = rowsBefore;
    for (const { cursor, rows } of pagesBefore(firstCursor)) {
      start -= rows;
      if (start > index) continue;
      jump.mutate({ input, cursor });
      return;
    }
  }

  const isJumpShown = jump.variables?.input === input;
  const isBusy = list.isFetching || (isJumpShown && jump.isPending);
  const failure = failureOf();

  function failureOf(): { error: unknown; retry: () => void } | undefined {
    const { variables } = jump;
    if (isJumpShown && jump.isError && variables) {
      return { error: jump.error, retry: () => jump.mutate(variables) };
    }
    if (!list.isError) return undefined;
    const retry = () => {
      if (list.isFetchNextPageError) void list.fetchNextPage();
      else if (list.isFetchPreviousPageError) void list.fetchPreviousPage();
      else void list.refetch();
    };
    return { error: list.error, retry };
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
    /** Whether rows are on their way. */
    isBusy,
    /** Whether no more rows are to be asked for: some are on their way, or could not be read. */
    isHeld: isBusy || failure !== undefined,
    /** Why rows could not be read, and how to try again. */
    failure,
    /** Without those that leave the view once what is decided is sent. */
    total: lastPage && lastPage.pagination.total - eachOnce(leaving).length,
    isOver: list.data !== undefined && !list.hasNextPage,
  };
}

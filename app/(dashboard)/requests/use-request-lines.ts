'use client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { RequestPage } from '@/src/requests/schema';
import { useTRPC } from '@/src/ui/calls/trpc';
import { appendPage, joinPages, type RequestsView, requestsInput } from './requests-view';

const liveMs = 3_000;

/** More lines than anybody reads; a narrower filter finds the others. */
const mostLines = 1_000;

/**
 * The lines of a view: the newest page, asked for again every few seconds while `isLive` and the page
 * is looked at, and the older ones, each asked for once. For another view, to be mounted anew.
 */
export function useRequestLines(view: RequestsView, isLive: boolean) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const input = requestsInput(view);
  const newest = useQuery(
    trpc.requests.list.queryOptions(input, { refetchInterval: isLive && liveMs }),
  );
  /** What was there before the newest page came, once older ones were asked for. */
  const [shown, setShown] = useState<RequestPage>();
  const [older, setOlder] = useState<{ isPending: boolean; error?: unknown }>({ isPending: false });
  const { data } = newest;
  const page = data && joinPages(shown, data);

  useEffect(() => {
    if (data) setShown((before) => before && joinPages(before, data));
  }, [data]);

  async function showOlder() {
    if (!page?.next_cursor || older.isPending) return;
    setOlder({ isPending: true });
    try {
      const cursor = page.next_cursor;
      const next = await queryClient.fetchQuery(
        trpc.requests.list.queryOptions({ ...input, cursor }),
      );
      setShown((before) => appendPage(before ?? page, next));
      setOlder({ isPending: false });
    } catch (error) {
      setOlder({ isPending: false, error });
    }
  }

  return {
    lines: page?.data,
    isPending: newest.isPending,
    error: newest.error,
    retry: () => void newest.refetch(),
    hasOlder: page !== undefined && page.next_cursor !== null && page.data.length < mostLines,
    isCut: page !== undefined && page.next_cursor !== null && page.data.length >= mostLines,
    older,
    showOlder: () => void showOlder(),
  };
}

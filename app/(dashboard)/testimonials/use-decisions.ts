'use client';
import {
  type InfiniteData,
  type Query,
  type QueryClient,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { codeOf, SpokenError } from '@/src/ui/calls/errors';
import { useTRPC, useTRPCClient } from '@/src/ui/calls/trpc';
import { beforeSignOut } from '@/src/ui/session/before-sign-out';
import { modeChanged } from '@/src/ui/session/shown-mode';
import { signedOut } from '@/src/ui/session/signed-out';
import { createDecisions, type Decisions, noDecisions, type Testimonial } from './decisions';
import { eachOnce, type TestimonialPage } from './paging';
import { keepSent, takeSentBefore } from './sent-before';
import type { Status } from './view';

const tickMs = 1_000;

type Cache = { queryClient: QueryClient; trpc: ReturnType<typeof useTRPC> };

/** One for the tab: what fails after one has gone to another page is said when one comes back. */
const known = new WeakMap<QueryClient, Decisions>();

/** The decisions of this tab. They are sent when their time is over, or when one leaves the page. */
export function useDecisions() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const decisions = known.get(queryClient) ?? create();

  function create(): Decisions {
    const created = createDecisions({
      now: Date.now,
      send: async (ids, status) => {
        const { data } = await client.testimonials.updateBatch.mutate(
          { testimonial_ids: ids, status },
          { context: { outlivesPage: true } },
        );
        return data;
      },
      onSaved: ({ updated, before, missing }) => {
        replaceRows({ queryClient, trpc }, updated, missing);
        moveCounts({ queryClient, trpc }, before, updated);
      },
    });
    known.set(queryClient, created);
    if (typeof window !== 'undefined') watchTab(created);
    return created;
  }

  const state = useSyncExternalStore(decisions.subscribe, decisions.getState, () => noDecisions);

  const isWaiting = state.decisions.some(({ isSent }) => !isSent);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => void decisions.sendDue(), tickMs);
    return () => clearInterval(timer);
  }, [isWaiting, decisions]);

  // Here, because the page that is loaded next is rendered before this one is told that it is hidden.
  // Firefox keeps no page for the way back that listens to it: only while there is something to send.
  const isAnyLeft = state.decisions.length > 0;
  useEffect(() => {
    if (!isAnyLeft) return;
    const leave = () => {
      void decisions.sendAll();
      keepWhileLeaving(decisions);
    };
    window.addEventListener('beforeunload', leave);
    return () => window.removeEventListener('beforeunload', leave);
  }, [isAnyLeft, decisions]);

  useEffect(
    () => void lookForSent({ queryClient, trpc }, client, decisions),
    [queryClient, trpc, client, decisions],
  );

  useEffect(() => {
    const leave = () => void decisions.sendAll();
    // A telephone ends hidden pages without a word.
    const hide = () => document.visibilityState === 'hidden' && leave();
    window.addEventListener('pagehide', leave);
    document.addEventListener('visibilitychange', hide);
    const stay = beforeSignOut(async () => {
      await decisions.sendAll();
      return decisions.getState().failures.length === 0;
    });
    return () => {
      stay();
      window.removeEventListener('pagehide', leave);
      document.removeEventListener('visibilitychange', hide);
      leave();
    };
  }, [decisions]);

  return { state, decisions };
}

/** A page that is still there then was not left: it was a download, or somebody has stayed. In ms. */
const leavingMs = 10_000;

let leaving: ReturnType<typeof setTimeout> | undefined;

/** What is answered now may be answered after the next page was read: it is kept for that one. */
function keepWhileLeaving(decisions: Decisions): void {
  clearTimeout(leaving);
  leaving = setTimeout(() => {
    leaving = undefined;
    keepSent(decisions.getState());
  }, leavingMs);
}

/** For as long as the tab has this page, also where one is on another of the dashboard. */
function watchTab(decisions: Decisions): void {
  decisions.subscribe(() => {
    if (leaving === undefined) keepSent(decisions.getState());
  });
  // What was refused for it was decided all the same.
  signedOut.onOver(() => void decisions.retry(({ error }) => codeOf(error) === 'UNAUTHORIZED'));
  modeChanged.onOver(() => void decisions.retry(({ error }) => codeOf(error) === 'MODE_CHANGED'));
}

/** How long a change that a page has sent as it was left may take to be seen, in ms. */
const looksAfterMs = [0, 1_000, 2_000, 4_000];

type Client = ReturnType<typeof useTRPCClient>;

/**
 * Says what the page before has sent and was not saved: of what failed at once, of the rest after the
 * lists were read again until they show it, or do not.
 */
async function lookForSent(cache: Cache, client: Client, decisions: Decisions): Promise<void> {
  const { queryClient, trpc } = cache;
  const { sent, failed } = takeSentBefore();
  noteUnsaved(decisions, failed, await rowsWithIds(cache, client, [...failed.keys()]));
  for (const afterMs of looksAfterMs) {
    if (unsavedOf(sent, rowsOf(cache)).length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    await queryClient.invalidateQueries(trpc.testimonials.list.pathFilter());
  }
  noteUnsaved(decisions, sent, rowsOf(cache));
}

const unsavedOf = (decided: Map<string, Status>, rows: Testimonial[]) =>
  rows.filter(({ id, status }) => (decided.get(id) ?? status) !== status);

function noteUnsaved(
  decisions: Decisions,
  decided: Map<string, Status>,
  rows: Testimonial[],
): void {
  const unsaved = unsavedOf(decided, rows);
  for (const status of new Set(decided.values())) {
    const testimonials = unsaved.filter(({ id }) => decided.get(id) === status);
    const error = new SpokenError('The page was left before the service had answered.');
    decisions.noteUnsaved({ status, testimonials, error });
  }
}

/** Those in memory, and of the others, which the view may not show, all that are there. */
async function rowsWithIds(cache: Cache, client: Client, ids: string[]): Promise<Testimonial[]> {
  const known = new Map(rowsOf(cache).map((row) => [row.id, row]));
  const answers = await Promise.allSettled(
    ids.map(async (id) => known.get(id) ?? (await client.testimonials.get.query({ id })).data),
  );
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
}

/** Those in memory, each once. */
function rowsOf({ queryClient, trpc }: Cache): Testimonial[] {
  const lists = queryClient.getQueriesData<InfiniteData<TestimonialPage>>(
    trpc.testimonials.list.infiniteQueryFilter(),
  );
  return eachOnce(lists.flatMap(([, list]) => list?.pages.flatMap((page) => page.data) ?? []));
}

/**
 * Writes what was saved into every list in memory; the others than the shown one are asked anew. So
 * is what is on its way, which may have been read before: a list asks again for rows that it lacks.
 */
export function replaceRows({ queryClient, trpc }: Cache, rows: Testimonial[], gone: string[]) {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const isGone = new Set(gone);
  const lists = trpc.testimonials.list.infiniteQueryFilter();
  const hasRows = (query: Query) => query.state.data !== undefined;
  void queryClient.cancelQueries({ ...lists, predicate: hasRows });
  for (const [key, list] of queryClient.getQueriesData<InfiniteData<TestimonialPage>>(lists)) {
    if (!list) continue;
    const status = statusOfKey(key);
    const isOfList = (row: Testimonial) => (status ?? row.status) === row.status;
    const hasLeft = (row: Testimonial) =>
      isOfList(row) && (isGone.has(row.id) || !isOfList(byId.get(row.id) ?? row));
    const left = eachOnce(list.pages.flatMap((page) => page.data.filter(hasLeft))).length;
    queryClient.setQueryData<InfiniteData<TestimonialPage>>(key, {
      ...list,
      pages: list.pages.map(({ data, pagination }) => ({
        data: data.filter(({ id }) => !isGone.has(id)).map((row) => byId.get(row.id) ?? row),
        pagination: { ...pagination, total: pagination.total - left },
      })),
    });
  }
  void queryClient.invalidateQueries({ ...lists, refetchType: 'none' });
  void queryClient.resetQueries({
    ...lists,
    fetchStatus: 'fetching',
    predicate: (query) => !hasRows(query),
  });
}

/** Until they are read again, so that no number jumps back meanwhile. */
function moveCounts({ queryClient, trpc }: Cache, before: Testimonial[], after: Testimonial[]) {
  const lists = trpc.testimonials.list.queryFilter();
  for (const [key, page] of queryClient.getQueriesData<TestimonialPage>(lists)) {
    const status = statusOfKey(key);
    if (!page || !status) continue;
    const has = (rows: Testimonial[]) => rows.filter((row) => row.status === status).length;
    const total = Math.max(0, page.pagination.total + has(after) - has(before));
    queryClient.setQueryData<TestimonialPage>(key, {
      ...page,
      pagination: { ...page.pagination, total },
    });
  }
  void queryClient.invalidateQueries(lists);
}

function statusOfKey(key: readonly unknown[]): string | undefined {
  const options = key[1];
  if (typeof options !== 'object' || options === null || !('input' in options)) return undefined;
  const { input } = options;
  if (typeof input !== 'object' || input === null || !('status' in input)) return undefined;
  return typeof input.status === 'string' ? input.status : undefined;
}

'use client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useStay } from '@/src/ui/browser/use-stay';
import { isGone } from '@/src/ui/calls/errors';
import { useTRPC, useTRPCClient } from '@/src/ui/calls/trpc';
import { type BatchProgress, inBatches, type NextBatch, runInBatches } from './batch-walk';
import { batchSize, type Testimonial } from './decisions';
import { type TestimonialPage, walkStart } from './paging';
import { replaceRows } from './use-decisions';
import { filtersOf, type InboxView, type Status } from './view';

export type BatchAction = Status | 'deleted';

/** All that match the view, or these. */
export type BatchScope = { view: InboxView; total: number } | { chosen: Testimonial[] };

type ListInput = ReturnType<typeof filtersOf> & { limit: number; cursor: string };

const pauseMs = 10_000;

const nothingDone: BatchProgress = { done: 0, failedIds: [], isWaiting: false };

/** Those that are tried again, or all; and how many that may be. */
type Run = { again?: string[]; asked: number };

/**
 * Changes all of the scope, a hundred at a time. While that is under way the page stays: reloading
 * and closing it ask first, and going back does nothing. Whoever leaves it all the same has stopped it.
 */
export function useBatchRun(props: {
  action: BatchAction;
  scope: BatchScope;
  /** Done first: what is decided and not saved yet. */
  before: () => Promise<unknown>;
  onChanged: () => void;
}) {
  const { action, scope } = props;
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const only = 'chosen' in scope && scope.chosen.length === 1 ? scope.chosen[0] : undefined;
  const [progress, setProgress] = useState(nothingDone);
  const stopping = useRef(new AbortController());
  const stop = useCallback(() => stopping.current.abort(), []);
  useEffect(() => stop, [stop]);
  /** As the second click of two finds it, before anything is drawn anew. */
  const isUnderWay = useRef(false);

  /** What is like that already, is passed over. */
  function matching(view: InboxView): NextBatch {
    let cursor: string | null | undefined = walkStart;
    return async () => {
      while (cursor) {
        const input: ListInput = { ...filtersOf(view), limit: batchSize, cursor };
        const page: TestimonialPage = await client.testimonials.list.query(input);
        cursor = page.pagination.next_cursor;
        const ids = page.data.filter(({ status }) => status !== action).map(({ id }) => id);
        if (ids.length > 0) return ids;
        if (stopping.current.signal.aborted) return [];
      }
      return undefined;
    };
  }

  /** Uploaded files go with one that is meant alone; the API leaves those of a batch. */
  async function remove(ids: string[]): Promise<number> {
    if (!only) {
      const input = { testimonial_ids: ids };
      return (await client.testimonials.deleteBatch.mutate(input)).deleted;
    }
    try {
      await client.testimonials.delete.mutate({ id: only.id });
      return 1;
    } catch (error) {
      if (isGone(error)) return 0;
      throw error;
    }
  }

  async function apply(ids: string[]): Promise<number> {
    if (action === 'deleted') {
      const deleted = await remove(ids);
      replaceRows({ queryClient, trpc }, [], ids);
      return deleted;
    }
    const input = { testimonial_ids: ids, status: action };
    return (await client.testimonials.updateBatch.mutate(input)).updated;
  }

  const run = useMutation({
    mutationFn: async ({ again }: Run) => {
      stopping.current = new AbortController();
      const { signal } = stopping.current;
      await props.before();
      return runInBatches({
        next: again
          ? inBatches(again)
          : 'chosen' in scope
            ? inBatches(scope.chosen.map(({ id }) => id))
            : matching(scope.view),
        apply,
        isStopped: () => signal.aborted,
        onProgress: setProgress,
        pause: () => pause(signal),
      });
    },
    onSettled: () => {
      isUnderWay.current = false;
      void queryClient.invalidateQueries(trpc.testimonials.pathFilter());
      props.onChanged();
    },
  });
  useStay(run.isPending, () => undefined);

  function start(next: Run) {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setProgress(nothingDone);
    run.mutate(next);
  }

  const total = 'chosen' in scope ? scope.chosen.length : scope.total;
  const asked = run.variables?.asked ?? total;
  return {
    progress: run.isIdle ? undefined : progress,
    isRunning: run.isPending,
    /** Whether the last run has tried all that there were. */
    isWhole: run.data?.isWhole === true,
    /** How many are meant: all of the scope. */
    total,
    /** The one that is meant alone. */
    only,
    /** How many the last run is about. */
    asked,
    start: () => start({ asked: total }),
    tryAgain: () => start({ again: progress.failedIds, asked: progress.failedIds.length }),
    /** With what was not tried, and what was in vain. */
    goOn: () => start({ asked: Math.max(0, asked - progress.done) }),
    stop,
  };
}

/** Ends with the signal, too. */
const pause = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, pauseMs);
    signal.addEventListener('abort', end);
  });

'use client';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { CopyNote } from '@/src/ui/copy-button';
import { Dialog, DialogActions } from '@/src/ui/dialog';
import { ErrorNote } from '@/src/ui/error-note';
import { codeOf, describeError, isUncertain } from '@/src/ui/errors';
import { Note } from '@/src/ui/note';
import { StopButton } from '@/src/ui/stop-button';
import { useTRPC, useTRPCClient } from '@/src/ui/trpc';
import { useCopy } from '@/src/ui/use-copy';
import { curlOf, deletionRequest, statusRequest } from './api-requests';
import { type BatchProgress, inBatches, runInBatches } from './batch-walk';
import { batchSize, type Testimonial } from './decisions';
import type { TestimonialPage } from './paging';
import { countOf } from './status-words';
import { filtersOf, type InboxView, type Status } from './view';

export type BatchAction = Status | 'deleted';

/** All that match the view, or these. */
export type BatchScope = { view: InboxView; total: number } | { chosen: Testimonial[] };

type ListInput = ReturnType<typeof filtersOf> & { limit: number; cursor: string };

const pauseMs = 10_000;

const verbs: Record<BatchAction, string> = {
  approved: 'Approve',
  rejected: 'Reject',
  pending: 'Set back to pending',
  deleted: 'Delete',
};

const participles: Record<BatchAction, string> = {
  approved: 'approved',
  rejected: 'rejected',
  pending: 'set back to pending',
  deleted: 'deleted',
};

/** Asks, then changes a hundred at a time, and says how far it is and what failed. */
export function BatchRun(props: {
  action: BatchAction;
  scope: BatchScope;
  opener: string;
  /** Done first: what is decided and not saved yet. */
  before: () => Promise<unknown>;
  onChanged: () => void;
  onClose: () => void;
}) {
  const { action, scope } = props;
  const run = useRun(props);
  const copying = useCopy();
  const { progress } = run;
  const asked = 'chosen' in scope ? scope.chosen.length : scope.total;
  const only = 'chosen' in scope && asked === 1 ? scope.chosen[0] : undefined;
  const isOver = progress !== undefined && !run.isRunning;
  const actions = useRef<HTMLDivElement>(null);
  const isMutating = useIsMutating() > 0;
  // The button that has the focus gives way to others at the end.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what these say is which buttons there are
  useEffect(() => {
    if (document.activeElement !== document.body) return;
    actions.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
  }, [run.isRunning, isMutating]);

  function copyRequest() {
    const ids = 'chosen' in scope ? idsOf(scope.chosen).slice(0, batchSize) : ['ID-1', 'ID-2'];
    const request = action === 'deleted' ? deletionRequest(ids) : statusRequest(ids, action);
    copying.copy(curlOf(request, window.location.origin));
  }

  return (
    <Dialog
      title={
        <>
          {verbs[action]}{' '}
          {only ? (
            <>
              the testimonial of <bdi>{only.submitter_name}</bdi>
            </>
          ) : (
            countOf(asked)
          )}
          {!progress && '?'}
        </>
      }
      opener={props.opener}
      isSticky={run.isRunning}
      onClose={props.onClose}
    >
      <Stack gap="md">
        {!progress && <Consequence action={action} isOne={only !== undefined} />}
        {progress && (
          <Progress
            progress={progress}
            asked={run.retried ?? asked}
            isWhole={run.isWhole}
            action={action}
          />
        )}
        {isOver && progress.failedIds.length > 0 && (
          <Note tone="bad" role="alert">
            {countOf(progress.failedIds.length)}{' '}
            {isUncertain(progress.error) ? 'may not be' : 'not'} {participles[action]}.{' '}
            {describeError(progress.error)}
          </Note>
        )}
        {isOver && progress.failedIds.length === 0 && <ErrorNote error={progress.error} />}
        <Group ref={actions} justify="space-between" gap="sm">
          {run.isRunning ? (
            <span />
          ) : (
            <Stack gap={6} align="flex-start">
              <Button size="xs" variant="default" onClick={copyRequest}>
                {copying.isCopied ? 'Copied' : 'Copy as API request'}
              </Button>
              <CopyNote copying={copying} isOutOfSight />
            </Stack>
          )}
          {run.isRunning ? (
            <StopButton onStop={run.stop} />
          ) : (
            <DialogActions
              cancelLabel={isOver ? 'Close' : 'Cancel'}
              isCancelFocused
              onCancel={props.onClose}
            >
              {!isOver && (
                <Button
                  color={action === 'deleted' ? 'red.9' : undefined}
                  onClick={() => run.start()}
                >
                  {verbs[action]}
                </Button>
              )}
              {isOver && progress.failedIds.length > 0 && (
                <Button onClick={() => run.start(progress.failedIds)}>Try these again</Button>
              )}
            </DialogActions>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

function Consequence({ action, isOne }: { action: BatchAction; isOne: boolean }) {
  const deleted = isOne
    ? 'It is deleted for good, and webhooks are told.'
    : 'They are deleted for good, and webhooks are told of each.';
  return (
    <Text size="sm">
      {action === 'deleted'
        ? `${deleted} This cannot be undone.`
        : 'They are saved at once, a hundred at a time, and webhooks are told of each. You can stop in between.'}
    </Text>
  );
}

/** Once all were tried, the others of those that were asked for are no part of the whole. */
function Progress(props: {
  progress: BatchProgress;
  asked: number;
  isWhole: boolean;
  action: BatchAction;
}) {
  const { done, failedIds, isWaiting } = props.progress;
  const tried = done + failedIds.length;
  const total = props.isWhole ? tried : Math.max(props.asked, tried);
  const others = props.asked - total;
  return (
    <div>
      <progress
        style={{ width: '100%', accentColor: 'var(--mantine-primary-color-filled)' }}
        // Of nothing, nothing is left to do.
        max={total || 1}
        value={tried || (props.isWhole ? 1 : 0)}
        aria-label="Progress"
      />
      <Text size="sm" role="status" className="numeric">
        {done.toLocaleString('en')} of {countOf(total)} {participles[props.action]}
        {isWaiting && '. Too many requests: going on in a moment'}
      </Text>
      {others > 0 && props.isWhole && (
        <Text size="sm" c="dimmed" className="numeric">
          {others.toLocaleString('en')} more {others === 1 ? 'was' : 'were'}{' '}
          {props.action === 'deleted'
            ? 'gone already'
            : `${participles[props.action]} already, or gone`}
        </Text>
      )}
    </div>
  );
}

function useRun(props: {
  action: BatchAction;
  scope: BatchScope;
  before: () => Promise<unknown>;
  onChanged: () => void;
}) {
  const { action, scope } = props;
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const [progress, setProgress] = useState<BatchProgress>();
  const isStopped = useRef(false);
  const stop = useCallback(() => {
    isStopped.current = true;
  }, []);
  // Whoever leaves the page has stopped it.
  useEffect(() => stop, [stop]);

  async function* matching(view: InboxView): AsyncIterable<string[]> {
    let cursor: string | null | undefined = 'start';
    while (cursor && !isStopped.current) {
      const input: ListInput = { ...filtersOf(view), limit: batchSize, cursor };
      const page: TestimonialPage = await patiently(() => client.testimonials.list.query(input));
      const ids = page.data.filter(({ status }) => status !== action).map(({ id }) => id);
      if (ids.length > 0) yield ids;
      cursor = page.pagination.next_cursor;
    }
  }

  const run = useMutation({
    mutationFn: async (again?: string[]) => {
      isStopped.current = false;
      await props.before();
      const { isWhole } = await runInBatches({
        batches: again
          ? inBatches(again)
          : 'chosen' in scope
            ? inBatches(idsOf(scope.chosen))
            : matching(scope.view),
        apply: async (ids) =>
          action === 'deleted'
            ? (await client.testimonials.deleteBatch.mutate({ testimonial_ids: ids })).deleted
            : (
                await client.testimonials.updateBatch.mutate({
                  testimonial_ids: ids,
                  status: action,
                })
              ).updated,
        isStopped: () => isStopped.current,
        onProgress: setProgress,
        pause,
      });
      return isWhole;
    },
    onSettled: () => {
      void queryClient.invalidateQueries(trpc.testimonials.pathFilter());
      props.onChanged();
    },
  });

  return {
    progress: run.isIdle ? undefined : (progress ?? { done: 0, failedIds: [], isWaiting: false }),
    isRunning: run.isPending,
    /** Whether the last run has tried all that there were. */
    isWhole: run.data === true,
    /** How many were tried again; undefined in the first run. */
    retried: run.variables?.length,
    start(again?: string[]) {
      setProgress(undefined);
      run.mutate(again);
    },
    stop,
  };
}

const idsOf = (testimonials: Testimonial[]) => testimonials.map(({ id }) => id);

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, pauseMs));

/** Asks again, a few times, where the service says that it was asked too much. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (codeOf(error) !== 'RATE_LIMIT_EXCEEDED' || tries > 10) throw error;
      await pause();
    }
  }
}

'use client';
import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useStay } from '@/src/ui/browser/use-stay';
import { type Outputs, useTRPC, useTRPCClient } from '@/src/ui/calls/trpc';
import { useSingleMutation } from '@/src/ui/calls/use-single-mutation';
import { ErrorNote } from '@/src/ui/components/error-note';
import { StopButton } from '@/src/ui/components/stop-button';
import { Dialog, DialogActions } from '@/src/ui/overlays/dialog';
import { emptyButtonId } from './openers';

/** So often the service is asked to go on, for a second and a half each. */
const maxCalls = 2000;

type Counts = Outputs['testMode']['count'];

const kinds: Record<keyof Counts, [one: string, several: string]> = {
  spaces: ['space', 'spaces'],
  testimonials: ['testimonial', 'testimonials'],
  files: ['uploaded file', 'uploaded files'],
  events: ['event', 'events'],
  deliveries: ['webhook delivery', 'webhook deliveries'],
  requests: ['logged request', 'logged requests'],
};

/** Says what goes, asks, and then empties step by step; it can be stopped in between. */
export function EmptyTestData({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const [removed, setRemoved] = useState(0);
  const isStopped = useRef(false);
  const counts = useQuery(
    trpc.testMode.count.queryOptions(undefined, {
      // What goes is said as it is now.
      staleTime: 0,
      gcTime: 0,
    }),
  );
  const run = useSingleMutation({
    mutationFn: async (_total: number) => {
      isStopped.current = false;
      setRemoved(0);
      for (let call = 0; call < maxCalls && !isStopped.current; call += 1) {
        const step = await client.testMode.empty.mutate();
        setRemoved((before) => before + step.removed);
        if (step.is_done) return { isDone: true };
      }
      return { isDone: false };
    },
    onSettled: () => queryClient.invalidateQueries(),
  });
  useStay(run.isPending, () => undefined);
  const stop = useCallback(() => {
    isStopped.current = true;
  }, []);
  useEffect(() => stop, [stop]);
  const total = counts.data && sumOf(counts.data);
  return (
    <Dialog
      title="Delete the test data?"
      opener={emptyButtonId}
      isSticky={run.isPending}
      onClose={onClose}
    >
      <Stack gap="md">
        {!counts.data && !counts.error && <Skeleton height={90} />}
        <ErrorNote error={counts.error} retry={() => void counts.refetch()} />
        {counts.data && run.isIdle && (
          <Stack gap="md" role="status">
            <WhatGoes counts={counts.data} />
          </Stack>
        )}
        {run.variables !== undefined && (
          <Progress removed={removed} total={run.variables} isDone={run.data?.isDone ?? false} />
        )}
        <ErrorNote error={run.error} />
        {run.isPending ? (
          <StopButton onStop={stop} />
        ) : (
          <DialogActions
            cancelLabel={run.isIdle ? 'Cancel' : 'Close'}
            isCancelFocused
            onCancel={onClose}
          >
            {!run.data?.isDone && (
              // Where no answer came, all of it may be gone: then it is told so by going on.
              <Button
                color="red.9"
                disabled={run.isIdle && !total}
                onClick={() => run.mutate(total ?? 0)}
              >
                {run.isIdle ? 'Delete' : 'Go on'}
              </Button>
            )}
          </DialogActions>
        )}
      </Stack>
    </Dialog>
  );
}

function WhatGoes({ counts }: { counts: Counts }) {
  const present = (Object.keys(kinds) as (keyof Counts)[]).filter((kind) => counts[kind] > 0);
  if (present.length === 0) return <Text size="sm">There is nothing to delete.</Text>;
  return (
    <>
      <Text size="sm">This goes, for good:</Text>
      <ul style={{ margin: 0, paddingLeft: '1.25rem', fontSize: '0.875rem' }} className="numeric">
        {present.map((kind) => (
          <li key={kind}>{inWords(counts[kind], kinds[kind])}</li>
        ))}
      </ul>
      <Text size="sm">
        Webhooks are told nothing. Your test keys and endpoints stay, and nothing live is touched.
      </Text>
    </>
  );
}

function Progress(props: { removed: number; total: number; isDone: boolean }) {
  // More may have come since it was counted.
  const total = props.isDone ? props.removed : Math.max(props.total, props.removed + 1);
  return (
    <div>
      <progress
        style={{ width: '100%', accentColor: 'var(--mantine-primary-color-filled)' }}
        max={Math.max(1, total)}
        value={props.isDone ? Math.max(1, total) : props.removed}
        aria-label="Progress"
      />
      <Text size="sm" role="status" className="numeric">
        {props.isDone
          ? 'The test data is deleted.'
          : `${props.removed.toLocaleString('en')} of ${total.toLocaleString('en')} deleted`}
      </Text>
    </div>
  );
}

/** No kind is counted further. */
const countedRows = 100_000;

function inWords(count: number, [one, several]: [string, string]): string {
  if (count >= countedRows) return `${count.toLocaleString('en')} or more ${several}`;
  return `${count.toLocaleString('en')} ${count === 1 ? one : several}`;
}

function sumOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

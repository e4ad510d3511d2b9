'use client';
import { Button, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTRPC } from '@/src/ui/calls/trpc';
import { useSingleMutation } from '@/src/ui/calls/use-single-mutation';
import { ErrorNote } from '@/src/ui/components/error-note';
import { Note } from '@/src/ui/components/note';
import { Dialog, DialogActions, DialogWords } from '@/src/ui/overlays/dialog';
import { hourMs } from '@/src/ui/time/durations';
import { serviceNow } from '@/src/ui/time/service-clock';
import type { Endpoint } from '../endpoint-status';
import { replayFailedId } from '../openers';

const ofMyChoice = 'time';

const spans = [
  { label: 'one hour ago', hours: 1 },
  { label: '24 hours ago', hours: 24 },
  { label: '7 days ago', hours: 7 * 24 },
  { label: '30 days ago', hours: 30 * 24 },
];

/** With it a year has four digits, in UTC too. */
const lastTime = '9999-12-30T23:59';

/** Without a zone, a time is meant where the person is. Undefined for none, and beyond the last. */
function instantOf(time: string): string | undefined {
  // A longer year comes after it, and before it as text.
  return time && time.length <= lastTime.length && time <= lastTime
    ? new Date(time).toISOString()
    : undefined;
}

const hoursAgo = (hours: number) => new Date(serviceNow() - hours * hourMs).toISOString();

/** Sends again what failed while a receiver was broken, and says before how much that is. */
export function ReplayFailed({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [span, setSpan] = useState('24');
  /** Undefined while a time is still to be named. */
  const [since, setSince] = useState<string | undefined>(() => hoursAgo(24));
  const found = useQuery(
    trpc.webhooks.deliveries.countReplayable.queryOptions(
      { endpoint_id: endpoint.id, since: since ?? '' },
      { enabled: since !== undefined, staleTime: 0, gcTime: 0 },
    ),
  );
  const replay = useSingleMutation(
    trpc.webhooks.deliveries.replayFailed.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.webhooks.pathFilter()),
    }),
  );

  function begin(instant: string | undefined) {
    setSince(instant);
    // What was said of another time holds no more.
    replay.reset();
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (since) replay.mutate({ endpoint_id: endpoint.id, since });
  }

  return (
    <Dialog title="Replay failed deliveries" opener={replayFailedId} onClose={onClose}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <DialogWords>
            <Text size="sm">
              What happened since then, and failed, is sent again, oldest first, with the same event
              id; what waits for its next try is tried now. Tests are left out.
            </Text>
          </DialogWords>
          <NativeSelect
            label="Replay failed events since"
            value={span}
            onChange={({ currentTarget: { value } }) => {
              setSpan(value);
              begin(value === ofMyChoice ? undefined : hoursAgo(Number(value)));
            }}
            data={[
              ...spans.map(({ hours, label }) => ({ value: String(hours), label })),
              { value: ofMyChoice, label: 'a time of my choice' },
            ]}
            data-autofocus
          />
          {span === ofMyChoice && (
            <TextInput
              type="datetime-local"
              label="Time"
              description="Where you are. The log goes back 30 days."
              max={lastTime}
              onChange={({ currentTarget: { value } }) => begin(instantOf(value))}
              required
              withAsterisk={false}
            />
          )}
          {replay.data ? (
            <Result {...replay.data} />
          ) : (
            since && <Found count={found.data?.count} hasMore={found.data?.has_more ?? false} />
          )}
          <ErrorNote error={replay.error ?? found.error} />
          <DialogActions cancelLabel={replay.data ? 'Close' : 'Cancel'} onCancel={onClose}>
            <Button
              type="submit"
              loading={replay.isPending}
              disabled={since !== undefined && !found.data?.count}
            >
              Replay
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  );
}

const number = new Intl.NumberFormat('en');

function deliveries(count: number): string {
  return `${number.format(count)} ${count === 1 ? 'delivery' : 'deliveries'}`;
}

/** What a replay would take; the same height before that is known. */
function Found({ count, hasMore }: { count: number | undefined; hasMore: boolean }) {
  const words = () => {
    if (count === undefined) return 'Counting…';
    if (count === 0) return 'No event since then has failed.';
    const some = deliveries(count);
    return hasMore ? `More than ${some}. The oldest of them are sent.` : `${some} to send again.`;
  };
  return (
    <Text size="sm" fw={500} role="status">
      {words()}
    </Text>
  );
}

function Result({ replayed, has_more }: { replayed: number; has_more: boolean }) {
  return (
    <Note tone="good" role="status">
      {deliveries(replayed)} {replayed === 1 ? 'is' : 'are'} sent again.
      {has_more && ' There are more: replay once again.'}
    </Note>
  );
}

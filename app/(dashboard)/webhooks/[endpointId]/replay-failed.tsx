'use client';
import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Dialog } from '@/src/ui/dialog';
import { ErrorNote } from '@/src/ui/error-note';
import { Note } from '@/src/ui/note';
import { useTRPC } from '@/src/ui/trpc';
import type { Endpoint } from '../endpoint-status';
import { replayFailedId } from '../openers';

const hourMs = 60 * 60 * 1000;

const ofMyChoice = 'time';

const spans = [
  { label: 'one hour ago', hours: 1 },
  { label: '24 hours ago', hours: 24 },
  { label: '7 days ago', hours: 7 * 24 },
  { label: '30 days ago', hours: 30 * 24 },
];

/** Sends again what failed while a receiver was broken. */
export function ReplayFailed({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [span, setSpan] = useState('24');
  const [time, setTime] = useState('');
  const replay = useMutation(
    trpc.webhooks.deliveries.replayFailed.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.webhooks.pathFilter()),
    }),
  );

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    // Without a zone, a time is meant where the person is.
    const since =
      span === ofMyChoice ? new Date(time) : new Date(Date.now() - Number(span) * hourMs);
    replay.mutate({ endpoint_id: endpoint.id, since: since.toISOString() });
  }

  return (
    <Dialog title="Replay failed deliveries" opener={replayFailedId} onClose={onClose}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <Text size="sm">
            Every failed delivery since then is sent again, oldest first, with the same event id.
          </Text>
          <NativeSelect
            label="Replay all failed since"
            value={span}
            onChange={(event) => setSpan(event.currentTarget.value)}
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
              value={time}
              onChange={(event) => setTime(event.currentTarget.value)}
              required
              withAsterisk={false}
            />
          )}
          {replay.data && <Result {...replay.data} />}
          <ErrorNote error={replay.error} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {replay.data ? 'Close' : 'Cancel'}
            </Button>
            <Button type="submit" loading={replay.isPending}>
              Replay
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

function Result({ replayed, has_more }: { replayed: number; has_more: boolean }) {
  const text =
    replayed === 0
      ? 'Nothing failed in that time.'
      : `${replayed} ${replayed === 1 ? 'delivery is' : 'deliveries are'} sent again.`;
  return (
    <Note tone={replayed === 0 ? 'over' : 'good'} role="status">
      {text}
      {has_more && ' There are more: replay once again.'}
    </Note>
  );
}

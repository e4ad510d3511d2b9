'use client';
import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '@/src/ui/dialog';
import { ErrorNote } from '@/src/ui/error-note';
import { Note } from '@/src/ui/note';
import { useTRPC } from '@/src/ui/trpc';
import type { Endpoint } from '../endpoint-status';
import { replayFailedId } from '../openers';

const hourMs = 60 * 60 * 1000;

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
  const [hours, setHours] = useState('24');
  const replay = useMutation(
    trpc.webhooks.deliveries.replayFailed.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.webhooks.pathFilter()),
    }),
  );
  const since = () => new Date(Date.now() - Number(hours) * hourMs).toISOString();
  return (
    <Dialog title="Replay failed deliveries" opener={replayFailedId} onClose={onClose}>
      <Stack gap="md">
        <Text size="sm">
          Every failed delivery since then is sent again, oldest first, with the same event id.
        </Text>
        <NativeSelect
          label="Replay all failed since"
          value={hours}
          onChange={(event) => setHours(event.currentTarget.value)}
          data={spans.map((span) => ({ value: String(span.hours), label: span.label }))}
          data-autofocus
        />
        {replay.data && <Result {...replay.data} />}
        <ErrorNote error={replay.error} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {replay.data ? 'Close' : 'Cancel'}
          </Button>
          <Button
            loading={replay.isPending}
            onClick={() => replay.mutate({ endpoint_id: endpoint.id, since: since() })}
          >
            Replay
          </Button>
        </Group>
      </Stack>
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

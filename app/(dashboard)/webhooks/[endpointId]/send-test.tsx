'use client';
import { Button, NativeSelect, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { eventTypes } from '@/src/outbox/event-types';
import { useView } from '@/src/ui/browser/use-view';
import { useOnce } from '@/src/ui/calls/once';
import { useTRPC } from '@/src/ui/calls/trpc';
import { useSingleMutation } from '@/src/ui/calls/use-single-mutation';
import { ErrorNote } from '@/src/ui/components/error-note';
import { Dialog, DialogActions, DialogWords } from '@/src/ui/overlays/dialog';
import type { Endpoint } from '../endpoint-status';
import { sendTestId } from '../openers';
import { deliveriesForm } from './deliveries-view';

/** Sends an event of the person's choice that no testimonial had, and shows what became of it. */
export function SendTest({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const once = useOnce();
  const { change } = useView(deliveriesForm);
  const [chosen, setChosen] = useState(endpoint.event_types[0]);
  const send = useSingleMutation(
    trpc.webhooks.endpoints.sendTest.mutationOptions({
      trpc: { context: once },
      onSuccess: (delivery) => {
        void queryClient.invalidateQueries(trpc.webhooks.deliveries.list.pathFilter());
        onClose();
        change({ delivery: delivery.id, state: undefined, event: undefined });
      },
    }),
  );
  return (
    <Dialog title="Send a test event" opener={sendTestId} onClose={onClose}>
      <Stack gap="md">
        <DialogWords>
          <Text size="sm">
            A made-up event, signed like a real one and marked with <code>"is_test": true</code>.
          </Text>
        </DialogWords>
        <NativeSelect
          label="Event"
          value={chosen}
          onChange={(event) => {
            setChosen(eventTypes.find((type) => type === event.currentTarget.value));
          }}
          data={eventTypes}
          data-autofocus
        />
        <ErrorNote error={send.error} />
        <DialogActions onCancel={onClose}>
          <Button
            loading={send.isPending}
            onClick={() => send.mutate({ id: endpoint.id, event_type: chosen })}
          >
            Send
          </Button>
        </DialogActions>
      </Stack>
    </Dialog>
  );
}

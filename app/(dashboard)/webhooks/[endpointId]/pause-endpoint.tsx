'use client';
import { Button, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '@/src/ui/calls/trpc';
import { useSingleMutation } from '@/src/ui/calls/use-single-mutation';
import { ErrorNote } from '@/src/ui/components/error-note';
import { Dialog, DialogActions, DialogWords } from '@/src/ui/overlays/dialog';
import type { Endpoint } from '../endpoint-status';
import { endpointButtonId } from '../openers';

/** Asks before the endpoint is paused: what happens meanwhile is lost for it. */
export function PauseEndpoint({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const pause = useSingleMutation(
    trpc.webhooks.endpoints.update.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.webhooks.endpoints.pathFilter());
        onClose();
      },
    }),
  );
  return (
    <Dialog title="Pause this endpoint?" opener={endpointButtonId} onClose={onClose}>
      <Stack gap="md">
        <DialogWords>
          <Text size="sm">
            Until you resume it, nothing is sent to it. Events of that time are lost for it: they
            are not sent later, and a replay does not bring them back.
          </Text>
          <Text size="sm">What is pending now waits, and goes out once you resume.</Text>
        </DialogWords>
        <ErrorNote error={pause.error} />
        <DialogActions isCancelFocused onCancel={onClose}>
          <Button
            loading={pause.isPending}
            onClick={() => pause.mutate({ id: endpoint.id, enabled: false })}
          >
            Pause endpoint
          </Button>
        </DialogActions>
      </Stack>
    </Dialog>
  );
}

'use client';
import { Button, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useOnce } from '@/src/ui/calls/once';
import { useTRPC } from '@/src/ui/calls/trpc';
import { useSingleMutation } from '@/src/ui/calls/use-single-mutation';
import { ErrorNote } from '@/src/ui/components/error-note';
import { Dialog, DialogActions, DialogWords } from '@/src/ui/overlays/dialog';
import { copyOnceId } from '@/src/ui/overlays/shown-once';
import type { Endpoint } from '../endpoint-status';
import { endpointButtonId } from '../openers';
import { RevealedSecret } from '../revealed-secret';

export function RotateSecret({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const once = useOnce();
  const rotate = useSingleMutation(
    trpc.webhooks.endpoints.rotateSecret.mutationOptions({
      trpc: { context: once },
      // The secret can be lost until it is shown, and is not to wait for what is behind it.
      onSuccess: () => void queryClient.invalidateQueries(trpc.webhooks.endpoints.pathFilter()),
    }),
    copyOnceId,
  );
  if (rotate.data) {
    return (
      <Dialog
        title="Your new signing secret"
        isSticky
        size={600}
        opener={endpointButtonId}
        onClose={onClose}
      >
        <RevealedSecret secret={rotate.data.secret} onDone={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog
      title="Rotate the signing secret"
      opener={endpointButtonId}
      isAwaited={rotate.isPending}
      onClose={onClose}
    >
      <Stack gap="md">
        <DialogWords>
          <Text size="sm">
            For 24 hours requests carry two signatures, of the new secret and of the old one. Give
            your receiver the new one in that time, and nothing is missed. Where the log says “Not
            signed”, the old one is lost and signs nothing.
          </Text>
        </DialogWords>
        {endpoint.previous_secret_expires_at && (
          <Text size="sm">
            The secret from before the last rotation, which still signs too, ends at once.
          </Text>
        )}
        <ErrorNote error={rotate.error} />
        <DialogActions isCancelFocused onCancel={onClose}>
          <Button loading={rotate.isPending} onClick={() => rotate.mutate({ id: endpoint.id })}>
            Rotate secret
          </Button>
        </DialogActions>
      </Stack>
    </Dialog>
  );
}

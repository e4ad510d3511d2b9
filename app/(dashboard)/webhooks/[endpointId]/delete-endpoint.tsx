'use client';
import { Button, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { tellDone } from '@/src/ui/browser/tell-done';
import { useTRPC } from '@/src/ui/calls/trpc';
import { useSingleMutation } from '@/src/ui/calls/use-single-mutation';
import { ErrorNote } from '@/src/ui/components/error-note';
import { Dialog, DialogActions, DialogWords } from '@/src/ui/overlays/dialog';
import { Instant } from '@/src/ui/time/instant';
import { webhookLimits } from '@/src/webhooks/limits';
import type { Endpoint } from '../endpoint-status';
import { endpointButtonId } from '../openers';

export function DeleteEndpoint(props: {
  endpoint: Endpoint;
  onDeleted: () => void;
  onClose: () => void;
}) {
  const { endpoint, onClose } = props;
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const remove = useSingleMutation(
    trpc.webhooks.endpoints.delete.mutationOptions({
      onSuccess: () => {
        void queryClient.invalidateQueries(trpc.webhooks.endpoints.list.queryFilter());
        router.replace('/webhooks');
        props.onDeleted();
        tellDone('The endpoint is deleted');
      },
    }),
  );
  return (
    <Dialog title="Delete this endpoint?" opener={endpointButtonId} onClose={onClose}>
      <Stack gap="md">
        <DialogWords>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            <bdi>{endpoint.url}</bdi> is sent nothing any more, and the log of its deliveries is
            deleted too. This cannot be undone.
          </Text>
          <Text size="sm" fw={500}>
            {endpoint.last_delivery ? (
              <>
                Last delivery: <Instant at={endpoint.last_delivery.created_at} />.
              </>
            ) : (
              `Nothing was sent to it in the last ${webhookLimits.logDays} days.`
            )}
          </Text>
        </DialogWords>
        <ErrorNote error={remove.error} />
        <DialogActions isCancelFocused onCancel={onClose}>
          <Button
            color="red.9"
            loading={remove.isPending || remove.isSuccess}
            onClick={() => remove.mutate({ id: endpoint.id })}
          >
            Delete endpoint
          </Button>
        </DialogActions>
      </Stack>
    </Dialog>
  );
}

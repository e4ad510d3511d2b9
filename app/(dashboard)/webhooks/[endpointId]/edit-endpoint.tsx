'use client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Dialog } from '@/src/ui/dialog';
import { useTRPC } from '@/src/ui/trpc';
import { EndpointForm } from '../endpoint-form';
import type { Endpoint } from '../endpoint-status';
import { endpointButtonId } from '../openers';

export function EditEndpoint({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const update = useMutation(
    trpc.webhooks.endpoints.update.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.webhooks.endpoints.pathFilter());
        onClose();
      },
    }),
  );
  return (
    <Dialog title="Edit the endpoint" opener={endpointButtonId} onClose={onClose}>
      <EndpointForm
        initial={endpoint}
        action="Save"
        isBusy={update.isPending}
        error={update.error}
        onSubmit={(fields) => update.mutate({ id: endpoint.id, ...fields })}
        onCancel={onClose}
      />
    </Dialog>
  );
}

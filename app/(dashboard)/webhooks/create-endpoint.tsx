'use client';
import { useQueryClient } from '@tanstack/react-query';
import { useOnce } from '@/src/ui/calls/once';
import { useTRPC } from '@/src/ui/calls/trpc';
import { useSingleMutation } from '@/src/ui/calls/use-single-mutation';
import { useFormInput } from '@/src/ui/forms/use-form-input';
import { Dialog } from '@/src/ui/overlays/dialog';
import { copyOnceId } from '@/src/ui/overlays/shown-once';
import { EndpointForm } from './endpoint-form';
import { createEndpointId } from './openers';
import { RevealedSecret } from './revealed-secret';

/** Asks for the address and its events, and shows the signing secret this once. */
export function CreateEndpoint({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const once = useOnce();
  const input = useFormInput();
  const create = useSingleMutation(
    trpc.webhooks.endpoints.create.mutationOptions({
      trpc: { context: once },
      // The secret can be lost until it is shown, and is not to wait for what is behind it.
      onSuccess: () =>
        void queryClient.invalidateQueries(trpc.webhooks.endpoints.list.queryFilter()),
    }),
    copyOnceId,
  );
  if (create.data) {
    return (
      <Dialog
        title="Your signing secret"
        isSticky
        size={600}
        opener={createEndpointId}
        onClose={onClose}
      >
        <RevealedSecret secret={create.data.secret} onDone={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog
      title="Add an endpoint"
      opener={createEndpointId}
      hasInput={input.hasInput}
      isAwaited={create.isPending}
      onClose={onClose}
    >
      <EndpointForm
        input={input}
        action="Add endpoint"
        isBusy={create.isPending}
        error={create.error}
        onSubmit={(fields) => create.mutate(fields)}
        onCancel={onClose}
      />
    </Dialog>
  );
}

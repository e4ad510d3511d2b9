'use client';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { changedFields } from '@/src/ui/changed-fields';
import { Dialog } from '@/src/ui/dialog';
import { useTRPC } from '@/src/ui/trpc';
import { useFormInput } from '@/src/ui/use-form-input';
import { useSingleMutation } from '@/src/ui/use-single-mutation';
import { type EndpointFields, EndpointForm, endpointFields } from '../endpoint-form';
import type { Endpoint } from '../endpoint-status';
import { endpointButtonId } from '../openers';

export function EditEndpoint({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const input = useFormInput();
  const update = useSingleMutation(
    trpc.webhooks.endpoints.update.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.webhooks.endpoints.pathFilter());
        // The title names it.
        router.refresh();
        onClose();
      },
    }),
  );
  // What is shown behind the form is read again and again.
  const [initial] = useState(endpoint);

  function submit(fields: EndpointFields) {
    const changed = changedFields(endpointFields(input.opened(), initial.event_types), fields);
    if (changed) update.mutate({ id: endpoint.id, ...changed });
    else onClose();
  }

  return (
    <Dialog
      title="Edit the endpoint"
      opener={endpointButtonId}
      hasInput={input.hasInput}
      onClose={onClose}
    >
      <EndpointForm
        input={input}
        initial={initial}
        action="Save"
        isBusy={update.isPending}
        error={update.error}
        onSubmit={submit}
        onCancel={onClose}
      />
    </Dialog>
  );
}

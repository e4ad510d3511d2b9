'use client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC, useTRPCClient } from '@/src/ui/calls/trpc';
import { changedFields } from '@/src/ui/forms/changed-fields';
import { type FieldWords, useSaveUnlessChanged } from '@/src/ui/forms/changed-meanwhile';
import { useFormInput } from '@/src/ui/forms/use-form-input';
import { Dialog } from '@/src/ui/overlays/dialog';
import { type EndpointFields, EndpointForm, endpointFields } from '../endpoint-form';
import type { Endpoint } from '../endpoint-status';
import { endpointButtonId } from '../openers';

const words: FieldWords<EndpointFields> = {
  url: { label: 'URL' },
  description: { label: 'Description' },
  event_types: { label: 'Events' },
};

export function EditEndpoint({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const input = useFormInput();
  // What is shown behind the form is read again and again.
  const [initial] = useState(endpoint);
  const { id } = endpoint;
  const saving = useSaveUnlessChanged({
    words,
    shown: initial,
    read: () => client.webhooks.endpoints.get.query({ id }),
    write: (changes: Partial<EndpointFields>) =>
      client.webhooks.endpoints.update.mutate({ id, ...changes }),
    onRow: () => queryClient.invalidateQueries(trpc.webhooks.endpoints.pathFilter()),
  });

  function submit(fields: EndpointFields) {
    const changed = changedFields(endpointFields(input.opened(), initial.event_types), fields);
    if (changed) saving.save(changed, onClose);
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
        isBusy={saving.isPending}
        error={saving.error}
        others={saving.others}
        onSubmit={submit}
        onCancel={onClose}
      />
    </Dialog>
  );
}

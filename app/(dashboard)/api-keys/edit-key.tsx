'use client';
import { Button, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Scope } from '@/src/api/scopes';
import { useTRPC, useTRPCClient } from '@/src/ui/calls/trpc';
import { changedFields } from '@/src/ui/forms/changed-fields';
import { type FieldWords, NotSaved, useSaveUnlessChanged } from '@/src/ui/forms/changed-meanwhile';
import { NameField } from '@/src/ui/forms/name-field';
import { useFormInput } from '@/src/ui/forms/use-form-input';
import { Dialog, DialogActions } from '@/src/ui/overlays/dialog';
import { ExpiryField, expiryInstant, expiryInWords } from './expiry-field';
import type { ApiKey } from './key-table';
import { keyButtonId } from './openers';
import { ScopesField } from './scopes-field';

type Changes = { name?: string; scopes?: Scope[]; expires_at?: string | null };

const words: FieldWords<Pick<ApiKey, keyof Changes>> = {
  name: { label: 'Name' },
  scopes: { label: 'Access' },
  expires_at: { label: 'Expires', tell: expiryInWords },
};

const nameIn = (form: FormData) => String(form.get('name')).trim();

/** Changes what the key is called, what it may do, and until when. */
export function EditKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const [scopes, setScopes] = useState<Scope[]>(apiKey.scopes);
  const input = useFormInput(scopes);
  const { id } = apiKey;
  const saving = useSaveUnlessChanged({
    words,
    shown: apiKey,
    read: () => client.apiKeys.get.query({ id }),
    write: (changes: Changes) => client.apiKeys.update.mutate({ id, ...changes }),
    onRow: () => queryClient.invalidateQueries(trpc.apiKeys.list.queryFilter()),
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = input.now();
    const before = { ...apiKey, name: nameIn(input.opened()) };
    const changed = changedFields(before, {
      name: nameIn(form),
      scopes,
      expires_at: expiryInstant(form),
    });
    if (changed) saving.save(changed, onClose);
    else onClose();
  }

  return (
    <Dialog
      title="Edit the key"
      opener={keyButtonId(apiKey)}
      hasInput={input.hasInput}
      onClose={onClose}
    >
      <form {...input.attributes} onSubmit={submit}>
        <Stack gap="lg">
          <NameField defaultValue={apiKey.name} />
          <ScopesField scopes={scopes} onChange={setScopes} />
          <ExpiryField present={apiKey.expires_at} />
          <Text size="sm" c="dimmed">
            Changes hold from the next request with the key on.
          </Text>
          <NotSaved error={saving.error} others={saving.others} />
          <DialogActions onCancel={onClose}>
            <Button type="submit" loading={saving.isPending} disabled={scopes.length === 0}>
              Save
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  );
}

'use client';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Scope } from '@/src/api/scopes';
import { Dialog } from '@/src/ui/dialog';
import { ErrorNote } from '@/src/ui/error-note';
import { useTRPC } from '@/src/ui/trpc';
import { ExpiryField, expiryInstant } from './expiry-field';
import { createKeyId } from './openers';
import { RevealedKey } from './revealed-key';
import { ScopesField } from './scopes-field';

/** Asks what the key is for, makes it, and shows it this once. */
export function CreateKey({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [scopes, setScopes] = useState<Scope[]>(['read']);
  const create = useMutation(
    trpc.apiKeys.create.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.apiKeys.list.queryFilter()),
    }),
  );

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    create.mutate({ name: String(form.get('name')), scopes, expires_at: expiryInstant(form) });
  }

  if (create.data) {
    return (
      <Dialog title="Your new key" isSticky size={600} opener={createKeyId} onClose={onClose}>
        <RevealedKey apiKey={create.data} onDone={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog title="Create a key" opener={createKeyId} onClose={onClose}>
      <form onSubmit={submit}>
        <Stack gap="lg">
          <TextInput
            name="name"
            label="Name"
            description="Where it is used, so that you can tell it from others."
            placeholder="Website"
            maxLength={100}
            required
            withAsterisk={false}
            data-autofocus
          />
          <ScopesField scopes={scopes} onChange={setScopes} />
          <ExpiryField />
          <ErrorNote error={create.error} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending} disabled={scopes.length === 0}>
              Create key
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

'use client';
import { Button, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Scope } from '@/src/api/scopes';
import { useOnce } from '@/src/ui/calls/once';
import { useTRPC } from '@/src/ui/calls/trpc';
import { useSingleMutation } from '@/src/ui/calls/use-single-mutation';
import { ErrorNote } from '@/src/ui/components/error-note';
import { NameField } from '@/src/ui/forms/name-field';
import { useFormInput } from '@/src/ui/forms/use-form-input';
import { Dialog, DialogActions, DialogWords } from '@/src/ui/overlays/dialog';
import { copyOnceId } from '@/src/ui/overlays/shown-once';
import { serviceNow } from '@/src/ui/time/service-clock';
import { ExpiryField, expiryInstant } from './expiry-field';
import { createKeyId } from './openers';
import { RevealedKey } from './revealed-key';
import { ScopesField } from './scopes-field';

/** Asks what the key is for, makes it, and shows it this once. The first of an account may write. */
export function CreateKey({ isFirst, onClose }: { isFirst: boolean; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const once = useOnce();
  const [scopes, setScopes] = useState<Scope[]>(isFirst ? ['read', 'write'] : ['read']);
  const input = useFormInput(scopes);
  const [openedMs] = useState(serviceNow);
  // Once it is made, the account has one.
  const [wasFirst] = useState(isFirst);
  const create = useSingleMutation(
    trpc.apiKeys.create.mutationOptions({
      trpc: { context: once },
      // The key can be lost until it is shown, and is not to wait for what is behind it.
      onSuccess: () => void queryClient.invalidateQueries(trpc.apiKeys.list.queryFilter()),
    }),
    copyOnceId,
  );

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    create.mutate({
      name: String(form.get('name')),
      scopes,
      expires_at: expiryInstant(form, openedMs),
    });
  }

  if (create.data) {
    return (
      <Dialog title="Your new key" isSticky size={600} opener={createKeyId} onClose={onClose}>
        <RevealedKey apiKey={create.data} isFirst={wasFirst} onDone={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog
      title="Create a key"
      opener={createKeyId}
      hasInput={input.hasInput}
      isAwaited={create.isPending}
      onClose={onClose}
    >
      <form {...input.attributes} onSubmit={submit}>
        <Stack gap="lg">
          <NameField
            description="Where it is used, so that you can tell it from others."
            placeholder="Website"
            defaultValue={wasFirst ? 'First key' : undefined}
            // Who types a name means it in place of the one that stands there.
            onFocus={({ target }) => target.select()}
          />
          {wasFirst && (
            <DialogWords>
              <Text size="sm">
                Your first key may read and write, which the first steps need, and not delete.
                Choose otherwise here, or change it later.
              </Text>
            </DialogWords>
          )}
          <ScopesField scopes={scopes} onChange={setScopes} />
          <ExpiryField />
          <ErrorNote error={create.error} />
          <DialogActions onCancel={onClose}>
            <Button type="submit" loading={create.isPending} disabled={scopes.length === 0}>
              Create key
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  );
}

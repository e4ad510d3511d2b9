'use client';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { Dialog } from '@/src/ui/dialog';
import { ErrorNote } from '@/src/ui/error-note';
import { useTRPC } from '@/src/ui/trpc';
import type { ApiKey } from './key-table';
import { keyButtonId } from './openers';

export function RenameKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const rename = useMutation(
    trpc.apiKeys.update.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.apiKeys.list.queryFilter());
        onClose();
      },
    }),
  );

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name'));
    rename.mutate({ id: apiKey.id, name });
  }

  return (
    <Dialog title="Rename the key" opener={keyButtonId(apiKey)} onClose={onClose}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <TextInput
            name="name"
            label="Name"
            defaultValue={apiKey.name}
            maxLength={100}
            required
            withAsterisk={false}
            data-autofocus
          />
          <ErrorNote error={rename.error} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={rename.isPending}>
              Rename
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

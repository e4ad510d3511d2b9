'use client';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Dialog } from '@/src/ui/dialog';
import { ErrorNote } from '@/src/ui/error-note';
import { Instant } from '@/src/ui/instant';
import { useTRPC } from '@/src/ui/trpc';
import type { ApiKey } from './key-table';
import { keyButtonId } from './openers';

export function DeleteKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const remove = useMutation(
    trpc.apiKeys.delete.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.apiKeys.list.queryFilter());
        onClose();
      },
    }),
  );
  return (
    <Dialog title={`Delete “${apiKey.name}”?`} opener={keyButtonId(apiKey)} onClose={onClose}>
      <Stack gap="md">
        <Text size="sm">
          Whatever still uses this key is refused from the next request on. This cannot be undone.
        </Text>
        <Text size="sm" fw={500}>
          {apiKey.last_used_at ? (
            <>
              Last used: <Instant at={apiKey.last_used_at} />.
            </>
          ) : (
            'The key was never used.'
          )}
        </Text>
        <ErrorNote error={remove.error} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button
            color="red.9"
            loading={remove.isPending}
            onClick={() => remove.mutate({ id: apiKey.id })}
          >
            Delete key
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

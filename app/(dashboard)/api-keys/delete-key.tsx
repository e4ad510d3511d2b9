'use client';
import { Button, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { tellDone } from '@/src/ui/browser/tell-done';
import { useTRPC } from '@/src/ui/calls/trpc';
import { useSingleMutation } from '@/src/ui/calls/use-single-mutation';
import { ErrorNote } from '@/src/ui/components/error-note';
import { Dialog, DialogActions, DialogWords } from '@/src/ui/overlays/dialog';
import type { ApiKey } from './key-table';
import { LastUse } from './last-use';
import { keyButtonId } from './openers';

export function DeleteKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const remove = useSingleMutation(
    trpc.apiKeys.delete.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.apiKeys.list.queryFilter());
        onClose();
        tellDone('The key is deleted');
      },
    }),
  );
  return (
    <Dialog
      title={
        <>
          Delete “<bdi>{apiKey.name}</bdi>”?
        </>
      }
      opener={keyButtonId(apiKey)}
      onClose={onClose}
    >
      <Stack gap="md">
        <DialogWords>
          <Text size="sm">
            Whatever still uses this key is refused from the next request on. This cannot be undone.
          </Text>
        </DialogWords>
        <LastUse apiKey={apiKey} />
        <ErrorNote error={remove.error} />
        <DialogActions isCancelFocused onCancel={onClose}>
          <Button
            color="red.9"
            loading={remove.isPending}
            onClick={() => remove.mutate({ id: apiKey.id })}
          >
            Delete key
          </Button>
        </DialogActions>
      </Stack>
    </Dialog>
  );
}

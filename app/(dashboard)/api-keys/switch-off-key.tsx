'use client';
import { Button, Stack, Text } from '@mantine/core';
import { useTRPC } from '@/src/ui/calls/trpc';
import { useSingleMutation } from '@/src/ui/calls/use-single-mutation';
import { ErrorNote } from '@/src/ui/components/error-note';
import { Dialog, DialogActions, DialogWords } from '@/src/ui/overlays/dialog';
import type { ApiKey } from './key-table';
import { LastUse } from './last-use';
import { keyButtonId } from './openers';

/** Asks before whatever uses the key is refused. */
export function SwitchOffKey(props: {
  apiKey: ApiKey;
  onDone: (changed: ApiKey) => Promise<unknown>;
  onClose: () => void;
}) {
  const { apiKey, onClose } = props;
  const trpc = useTRPC();
  const switchOff = useSingleMutation(
    trpc.apiKeys.update.mutationOptions({
      onSuccess: async (changed) => {
        await props.onDone(changed);
        onClose();
      },
    }),
  );
  return (
    <Dialog
      title={
        <>
          Switch off “<bdi>{apiKey.name}</bdi>”?
        </>
      }
      opener={keyButtonId(apiKey)}
      onClose={onClose}
    >
      <Stack gap="md">
        <DialogWords>
          <Text size="sm">
            Whatever uses this key is refused from the next request on, until you switch it on
            again.
          </Text>
        </DialogWords>
        <LastUse apiKey={apiKey} />
        <ErrorNote error={switchOff.error} />
        <DialogActions isCancelFocused onCancel={onClose}>
          <Button
            loading={switchOff.isPending}
            onClick={() => switchOff.mutate({ id: apiKey.id, enabled: false })}
          >
            Switch off
          </Button>
        </DialogActions>
      </Stack>
    </Dialog>
  );
}

'use client';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useTRPCClient } from '@/src/ui/calls/trpc';
import { useSingleMutation } from '@/src/ui/calls/use-single-mutation';
import { ErrorNote } from '@/src/ui/components/error-note';
import { Dialog, DialogWords } from '@/src/ui/overlays/dialog';
import { modeChanged, useMode } from '@/src/ui/session/shown-mode';
import { useGoingOn } from '@/src/ui/session/use-going-on';

const words = {
  live: {
    title: 'Test mode was switched on',
    text: 'You did so in another tab, or here, where no answer came. This page still shows what is live, and nothing can be changed in it.',
    reload: 'Show test data',
    back: 'Go back to live',
  },
  test: {
    title: 'Test mode was switched off',
    text: 'You did so or signed in again in another tab, or here, where no answer came. This page still shows test data, and nothing can be changed in it.',
    reload: 'Show what is live',
    back: 'Go back to test mode',
  },
};

/** Asks which mode to go on in. */
export function ModeDialog() {
  const shown = useMode();
  const client = useTRPCClient();
  const goOn = useGoingOn(modeChanged);
  const { title, text, reload, back } = words[shown];
  const goBack = useSingleMutation({
    mutationFn: async () => {
      await client.testMode.set.mutate({ mode: shown });
      await goOn();
    },
  });
  return (
    <Dialog title={title} isSticky size={440} onClose={() => undefined}>
      <Stack gap="md">
        <DialogWords>
          <Text size="sm">{text} Going back keeps what you have filled in.</Text>
        </DialogWords>
        <ErrorNote error={goBack.error} />
        <Group justify="flex-end" gap="sm">
          <Button
            variant="default"
            loading={goBack.isPending}
            onClick={() => goBack.mutate()}
            data-autofocus
          >
            {back}
          </Button>
          <Button
            onClick={() => window.location.assign(`/${window.location.pathname.split('/')[1]}`)}
          >
            {reload}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

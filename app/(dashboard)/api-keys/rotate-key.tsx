'use client';
import { Button, Input, SegmentedControl, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { OverlapHours } from '@/src/api-keys/schema';
import { Dialog, DialogActions } from '@/src/ui/dialog';
import { ErrorNote } from '@/src/ui/error-note';
import { useOnce } from '@/src/ui/once';
import { useTRPC } from '@/src/ui/trpc';
import { useSingleMutation } from '@/src/ui/use-single-mutation';
import type { ApiKey } from './key-table';
import { keyButtonId } from './openers';
import { RevealedKey } from './revealed-key';

const overlaps: { hours: OverlapHours; label: string; effect: string }[] = [
  { hours: 0, label: 'None', effect: 'The old key stops working at once.' },
  { hours: 1, label: '1 hour', effect: 'Both keys work for one hour, then only the new one.' },
  { hours: 24, label: '24 hours', effect: 'Both keys work for a day, then only the new one.' },
  { hours: 72, label: '72 hours', effect: 'Both keys work for three days, then only the new one.' },
];

/** A new key in place of this one, without a gap in between. */
export function RotateKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const once = useOnce();
  const [label, setLabel] = useState('24 hours');
  const overlap = overlaps.find((candidate) => candidate.label === label);
  const rotate = useSingleMutation(
    trpc.apiKeys.rotate.mutationOptions({
      trpc: { context: once },
      // The key can be lost until it is shown, and is not to wait for what is behind it.
      onSuccess: () => void queryClient.invalidateQueries(trpc.apiKeys.list.queryFilter()),
    }),
  );
  if (rotate.data) {
    return (
      <Dialog
        title="Your new key"
        isSticky
        size={600}
        opener={keyButtonId(apiKey)}
        onClose={onClose}
      >
        <RevealedKey apiKey={rotate.data} onDone={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog
      title={
        <>
          Rotate “<bdi>{apiKey.name}</bdi>”
        </>
      }
      opener={keyButtonId(apiKey)}
      isAwaited={rotate.isPending}
      onClose={onClose}
    >
      <Stack gap="md">
        <Text size="sm">
          You get a new key with the same name and scopes. Give it to whatever uses the old one.
        </Text>
        <Input.Wrapper label="Overlap" description={overlap?.effect}>
          <SegmentedControl
            aria-label="Overlap"
            fullWidth
            mt={6}
            value={label}
            onChange={setLabel}
            data={overlaps.map((candidate) => candidate.label)}
          />
        </Input.Wrapper>
        <ErrorNote error={rotate.error} />
        <DialogActions onCancel={onClose}>
          <Button
            loading={rotate.isPending}
            onClick={() => {
              if (overlap) rotate.mutate({ id: apiKey.id, overlap_hours: overlap.hours });
            }}
          >
            Rotate key
          </Button>
        </DialogActions>
      </Stack>
    </Dialog>
  );
}

'use client';
import { Button, Input, SegmentedControl, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useOnce } from '@/src/ui/calls/once';
import { useTRPC } from '@/src/ui/calls/trpc';
import { useSingleMutation } from '@/src/ui/calls/use-single-mutation';
import { ErrorNote } from '@/src/ui/components/error-note';
import { Dialog, DialogActions, DialogWords } from '@/src/ui/overlays/dialog';
import { copyOnceId } from '@/src/ui/overlays/shown-once';
import { useNow } from '@/src/ui/time/instant';
import type { ApiKey } from './key-table';
import { keyButtonId } from './openers';
import { effectOf, overlaps } from './overlaps';
import { RevealedKey } from './revealed-key';

/** A new key in place of this one, without a gap in between. */
export function RotateKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const once = useOnce();
  const now = useNow();
  const [label, setLabel] = useState('24 hours');
  const overlap = overlaps.find((candidate) => candidate.label === label);
  const rotate = useSingleMutation(
    trpc.apiKeys.rotate.mutationOptions({
      trpc: { context: once },
      // The key can be lost until it is shown, and is not to wait for what is behind it.
      onSuccess: () => void queryClient.invalidateQueries(trpc.apiKeys.list.queryFilter()),
    }),
    copyOnceId,
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
        <DialogWords>
          <Text size="sm">
            You get a new key with the same name and scopes. Give it to whatever uses the old one.
          </Text>
        </DialogWords>
        <Input.Wrapper label="Overlap" description={overlap && effectOf(overlap, apiKey, now)}>
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

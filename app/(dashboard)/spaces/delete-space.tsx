'use client';
import { Button, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { tellDone } from '@/src/ui/browser/tell-done';
import { useTRPC } from '@/src/ui/calls/trpc';
import { useSingleMutation } from '@/src/ui/calls/use-single-mutation';
import { ErrorNote } from '@/src/ui/components/error-note';
import { shownName } from '@/src/ui/components/shown-name';
import { Dialog, DialogActions, DialogWords } from '@/src/ui/overlays/dialog';
import { spaceButtonId } from './openers';
import type { Space } from './space-table';
import { isTypedName } from './typed-name';

/** From so many testimonials on, the name of the space is to be typed. */
const manyTestimonials = 10;

export function DeleteSpace({ space, onClose }: { space: Space; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState('');
  const kept = useQuery(
    trpc.testimonials.list.queryOptions(
      { space_id: space.id, limit: 1 },
      // What goes with it is said as it is now.
      { staleTime: 0, gcTime: 0 },
    ),
  );
  const remove = useSingleMutation(
    trpc.spaces.delete.mutationOptions({
      onSuccess: async () => {
        void queryClient.invalidateQueries(trpc.testimonials.pathFilter());
        await queryClient.invalidateQueries(trpc.spaces.pathFilter());
        onClose();
        tellDone('The space is deleted');
      },
    }),
  );
  const total = kept.isFetching ? undefined : kept.data?.pagination.total;
  const isMany = total !== undefined && total >= manyTestimonials;
  const canDelete = total !== undefined && (!isMany || isTypedName(typed, space.name));
  return (
    <Dialog title="Delete this space?" opener={spaceButtonId(space)} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (canDelete) remove.mutate({ id: space.id });
        }}
      >
        <Stack gap="md">
          <DialogWords>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              <bdi>{shownName(space.name)}</bdi> is deleted for good, with all that is in it.
            </Text>
          </DialogWords>
          {total === undefined && !kept.error && <Skeleton height={20} width={220} />}
          {total !== undefined && (
            <Text size="sm" fw={500} role="status">
              {total === 0
                ? 'There are no testimonials in it.'
                : `${total.toLocaleString('en')} ${total === 1 ? 'testimonial is' : 'testimonials are'} deleted with it, and uploaded files too.`}
            </Text>
          )}
          <ErrorNote error={kept.error} retry={() => void kept.refetch()} />
          {isMany && (
            <TextInput
              label="Type the name of the space to delete it"
              value={typed}
              autoComplete="off"
              onChange={({ currentTarget: { value } }) => setTyped(value)}
            />
          )}
          <ErrorNote error={remove.error} />
          <DialogActions isCancelFocused onCancel={onClose}>
            <Button type="submit" color="red.9" loading={remove.isPending} disabled={!canDelete}>
              Delete space
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  );
}

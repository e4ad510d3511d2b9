'use client';
import { useQueryClient } from '@tanstack/react-query';
import { tellDone } from '@/src/ui/browser/tell-done';
import { useOnce } from '@/src/ui/calls/once';
import { useTRPC } from '@/src/ui/calls/trpc';
import { useSingleMutation } from '@/src/ui/calls/use-single-mutation';
import { createSpaceId } from './openers';
import { SpaceForm } from './space-form';

export function CreateSpace({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const once = useOnce();
  const create = useSingleMutation(
    trpc.spaces.create.mutationOptions({
      trpc: { context: once },
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.spaces.pathFilter());
        onClose();
        tellDone('The space is created');
      },
    }),
  );
  return (
    <SpaceForm
      title="Create a space"
      action="Create space"
      opener={createSpaceId}
      isBusy={create.isPending}
      error={create.error}
      onSubmit={(fields) =>
        create.mutate({ ...fields, description: fields.description || undefined })
      }
      onClose={onClose}
    />
  );
}

'use client';
import { useQueryClient } from '@tanstack/react-query';
import { useTRPC, useTRPCClient } from '@/src/ui/calls/trpc';
import { changedFields } from '@/src/ui/forms/changed-fields';
import { type FieldWords, useSaveUnlessChanged } from '@/src/ui/forms/changed-meanwhile';
import { spaceButtonId } from './openers';
import { type SpaceFields, SpaceForm } from './space-form';
import type { Space } from './space-table';

const words: FieldWords<Pick<Space, keyof SpaceFields>> = {
  name: { label: 'Name' },
  description: { label: 'Description' },
  primary_color: { label: 'Colour' },
  logo_url: { label: 'Logo', tell: () => 'another picture' },
  custom_questions: { label: 'Questions', tell: numbered },
};

function numbered(questions: string[] | null): string {
  if (!questions?.length) return 'none';
  return questions.map((question, index) => `${index + 1}. ${question}`).join(' ');
}

export function EditSpace({ space, onClose }: { space: Space; onClose: () => void }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const { id } = space;
  const saving = useSaveUnlessChanged({
    words,
    shown: space,
    read: async () => (await client.spaces.get.query({ id })).data,
    write: async (changes: Partial<SpaceFields>) =>
      (await client.spaces.update.mutate({ id, ...changes })).data,
    onRow: () => queryClient.invalidateQueries(trpc.spaces.pathFilter()),
  });
  return (
    <SpaceForm
      space={space}
      title="Edit space"
      action="Save"
      opener={spaceButtonId(space)}
      isBusy={saving.isPending}
      error={saving.error}
      others={saving.others}
      onSubmit={(fields, before) => {
        const changed = changedFields(before, fields);
        if (changed) saving.save(changed, onClose);
        else onClose();
      }}
      onClose={onClose}
    />
  );
}

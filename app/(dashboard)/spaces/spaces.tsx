'use client';
import { Button, Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/src/ui/calls/trpc';
import { EmptyState } from '@/src/ui/components/empty-state';
import { ErrorNote } from '@/src/ui/components/error-note';
import { Folder, Plus } from '@/src/ui/components/icons';
import { ShowOlder } from '@/src/ui/components/show-older';
import { shownLater } from '@/src/ui/overlays/shown-later';
import { SpacesHeader } from './header';
import { createSpaceId, spaceButtonId } from './openers';
import { pageOfSpaces, spacePaging } from './paging';
import { type Space, SpaceTable } from './space-table';
import { SpaceTableSkeleton } from './space-table-skeleton';

const CreateSpace = shownLater(async () => (await import('./create-space')).CreateSpace);
const EditSpace = shownLater(async () => (await import('./edit-space')).EditSpace);
const DeleteSpace = shownLater(async () => (await import('./delete-space')).DeleteSpace);

type Open = { dialog: 'create' } | { dialog: 'edit' | 'delete'; space: Space };

export function Spaces() {
  const trpc = useTRPC();
  const list = useInfiniteQuery(trpc.spaces.list.infiniteQueryOptions(pageOfSpaces, spacePaging));
  const [open, setOpen] = useState<Open>();
  const spaces = list.data?.pages.flatMap((page) => page.data);
  const isEmpty = spaces?.length === 0;
  const last = spaces?.at(-1);
  const create = (
    <Button
      id={createSpaceId}
      leftSection={<Plus size={16} />}
      onClick={() => setOpen({ dialog: 'create' })}
    >
      Create space
    </Button>
  );
  const close = () => setOpen(undefined);
  return (
    <>
      <SpacesHeader action={isEmpty || !spaces ? undefined : create} />
      <Stack gap="md">
        {list.isPending && <SpaceTableSkeleton />}
        {!spaces && <ErrorNote error={list.error} retry={() => void list.refetch()} />}
        {isEmpty && (
          <EmptyState icon={<Folder size={20} />} title="Create your first space" action={create}>
            Every testimonial belongs to a space: one for each brand or product that people speak
            of.
          </EmptyState>
        )}
        {spaces && !isEmpty && (
          <SpaceTable spaces={spaces} onAction={(dialog, space) => setOpen({ dialog, space })} />
        )}
        {list.hasNextPage && (
          <ShowOlder
            isPending={list.isFetchingNextPage}
            error={list.isFetchNextPageError && list.error}
            heir={last && spaceButtonId(last)}
            onClick={() => void list.fetchNextPage()}
          />
        )}
      </Stack>
      {open?.dialog === 'create' && <CreateSpace onClose={close} />}
      {open?.dialog === 'edit' && <EditSpace space={open.space} onClose={close} />}
      {open?.dialog === 'delete' && <DeleteSpace space={open.space} onClose={close} />}
    </>
  );
}

import { Button } from '@mantine/core';
import { SpacesHeader } from './header';
import { SpaceTableSkeleton } from './space-table-skeleton';

export default function Loading() {
  return (
    <>
      <SpacesHeader action={<Button disabled>Create space</Button>} />
      <SpaceTableSkeleton />
    </>
  );
}

import { Stack, Switch } from '@mantine/core';
import { FiltersSkeleton } from './filters';
import { RequestsHeader } from './header';
import { RequestTableSkeleton } from './request-table';
import { VolumeSkeleton } from './volume-chart';

export default function Loading() {
  return (
    <>
      <RequestsHeader action={<Switch label="Auto-refresh" defaultChecked disabled />} />
      <Stack gap="md">
        <VolumeSkeleton />
        <FiltersSkeleton />
        <RequestTableSkeleton />
      </Stack>
    </>
  );
}

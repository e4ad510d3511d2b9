import { Button, Stack } from '@mantine/core';
import { ApiKeysHeader } from './header';
import { KeyTableSkeleton } from './key-table';
import { UsageSkeleton } from './usage';

export default function Loading() {
  return (
    <>
      <ApiKeysHeader action={<Button disabled>Create key</Button>} />
      <Stack gap="md">
        <UsageSkeleton />
        <KeyTableSkeleton />
      </Stack>
    </>
  );
}

import { Button } from '@mantine/core';
import { EndpointTableSkeleton } from './endpoint-table';
import { WebhooksHeader } from './header';

export default function Loading() {
  return (
    <>
      <WebhooksHeader action={<Button disabled>Add endpoint</Button>} />
      <EndpointTableSkeleton />
    </>
  );
}

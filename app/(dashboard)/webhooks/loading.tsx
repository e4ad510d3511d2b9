import { EndpointTableSkeleton } from './endpoint-table';
import { WebhooksHeader } from './header';

export default function Loading() {
  return (
    <>
      <WebhooksHeader />
      <EndpointTableSkeleton />
    </>
  );
}

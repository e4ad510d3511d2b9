'use client';
import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/src/ui/calls/trpc';
import { EmptyState } from '@/src/ui/components/empty-state';
import { ErrorNote } from '@/src/ui/components/error-note';
import { Plus, Webhook } from '@/src/ui/components/icons';
import { shownLater } from '@/src/ui/overlays/shown-later';
import { EndpointTable, EndpointTableSkeleton } from './endpoint-table';
import { WebhooksHeader } from './header';
import { createEndpointId } from './openers';

const CreateEndpoint = shownLater(async () => (await import('./create-endpoint')).CreateEndpoint);

const refreshMs = 15_000;

export function Endpoints() {
  const endpoints = useQuery(
    useTRPC().webhooks.endpoints.list.queryOptions(undefined, { refetchInterval: refreshMs }),
  );
  const [isCreating, setIsCreating] = useState(false);
  const isEmpty = endpoints.data?.length === 0;
  const create = (
    <Button
      id={createEndpointId}
      leftSection={<Plus size={16} />}
      onClick={() => setIsCreating(true)}
    >
      Add endpoint
    </Button>
  );
  return (
    <>
      <WebhooksHeader action={isEmpty || !endpoints.data ? undefined : create} />
      <Stack gap="md">
        {endpoints.isPending && <EndpointTableSkeleton />}
        {!endpoints.data && (
          <ErrorNote error={endpoints.error} retry={() => void endpoints.refetch()} />
        )}
        {isEmpty && (
          <EmptyState icon={<Webhook size={20} />} title="Add your first endpoint" action={create}>
            An endpoint is an address of yours that is sent a signed request for every event you
            choose: to rebuild a page, to post into a chat, or to keep a copy.
          </EmptyState>
        )}
        {endpoints.data && !isEmpty && <EndpointTable endpoints={endpoints.data} />}
      </Stack>
      {isCreating && <CreateEndpoint onClose={() => setIsCreating(false)} />}
    </>
  );
}

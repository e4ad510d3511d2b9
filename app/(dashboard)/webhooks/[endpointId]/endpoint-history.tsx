'use client';
import { Stack, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTRPC } from '@/src/ui/calls/trpc';
import { History } from '../../history/history';
import type { Endpoint } from '../endpoint-status';

/** Who made and changed the endpoint, and when; asked for anew when something of it has changed. */
export function EndpointHistory({ endpoint }: { endpoint: Endpoint }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const present = `${endpoint.updated_at} ${endpoint.status}`;
  const known = useRef(present);
  useEffect(() => {
    if (known.current === present) return;
    known.current = present;
    void queryClient.invalidateQueries(trpc.audit.list.pathFilter());
  }, [present, queryClient, trpc]);
  return (
    <Stack gap="md" mt="xl" component="section" aria-label="History">
      <Title order={2} fz={17}>
        History
      </Title>
      <History subjectId={endpoint.id} />
    </Stack>
  );
}

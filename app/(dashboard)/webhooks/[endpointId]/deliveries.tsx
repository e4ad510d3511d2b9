'use client';
import { Button, Group, NativeSelect, Stack, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { eventTypes } from '@/src/outbox/event-types';
import { EmptyState } from '@/src/ui/empty-state';
import { ErrorNote } from '@/src/ui/error-note';
import { Inbox, RotateCcw } from '@/src/ui/icons';
import { useTRPC } from '@/src/ui/trpc';
import type { Endpoint } from '../endpoint-status';
import { replayFailedId } from '../openers';
import { deliveriesInput, deliveryPaging, deliveryStates } from './deliveries-view';
import { stateNames } from './delivery-state';
import { DeliveryTable, DeliveryTableSkeleton } from './delivery-table';
import { useDeliveriesView } from './use-deliveries-view';

// Loaded when first opened: nobody waits for them to see the deliveries.
const DeliverySheet = dynamic(() => import('./delivery-sheet').then((file) => file.DeliverySheet));
const ReplayFailed = dynamic(() => import('./replay-failed').then((file) => file.ReplayFailed));

/** Often while something is on its way, seldom otherwise. */
const refreshMs = { pending: 3_000, settled: 15_000 };

/** The log of an endpoint, newest first. */
export function Deliveries({ endpoint }: { endpoint: Endpoint }) {
  const trpc = useTRPC();
  const { view, change } = useDeliveriesView();
  const [isReplaying, setIsReplaying] = useState(false);
  const deliveries = useInfiniteQuery(
    trpc.webhooks.deliveries.list.infiniteQueryOptions(deliveriesInput(endpoint.id, view), {
      ...deliveryPaging,
      refetchInterval: ({ state }) => {
        const rows = state.data?.pages.flatMap((page) => page.data) ?? [];
        return rows.some((row) => row.state === 'pending') ? refreshMs.pending : refreshMs.settled;
      },
    }),
  );
  const rows = deliveries.data?.pages.flatMap((page) => page.data);
  const isFiltered = Boolean(view.state ?? view.event);
  return (
    <Stack gap="md" component="section" aria-label="Deliveries">
      <Group justify="space-between" gap="sm">
        <Title order={2} fz={17}>
          Deliveries
        </Title>
        <Group gap="xs">
          <Filters />
          <Button
            id={replayFailedId}
            size="xs"
            variant="default"
            leftSection={<RotateCcw size={14} />}
            disabled={endpoint.status !== 'enabled'}
            onClick={() => setIsReplaying(true)}
          >
            Replay failed
          </Button>
        </Group>
      </Group>
      {deliveries.isPending && <DeliveryTableSkeleton />}
      {!rows && <ErrorNote error={deliveries.error} retry={() => void deliveries.refetch()} />}
      {rows?.length === 0 && <NoDeliveries isFiltered={isFiltered} />}
      {rows && rows.length > 0 && (
        <DeliveryTable deliveries={rows} onOpen={(delivery) => change({ delivery })} />
      )}
      {deliveries.hasNextPage && (
        <Button
          variant="default"
          loading={deliveries.isFetchingNextPage}
          onClick={() => void deliveries.fetchNextPage()}
        >
          Show older
        </Button>
      )}
      {view.delivery && (
        <DeliverySheet
          key={view.delivery}
          id={view.delivery}
          url={endpoint.url}
          canSend={endpoint.status === 'enabled'}
          onClose={() => change({ delivery: undefined })}
        />
      )}
      {isReplaying && <ReplayFailed endpoint={endpoint} onClose={() => setIsReplaying(false)} />}
    </Stack>
  );
}

function Filters() {
  const { view, change } = useDeliveriesView();
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label="State"
        value={view.state ?? ''}
        onChange={(event) => {
          const { value } = event.currentTarget;
          change({ state: deliveryStates.find((state) => state === value) });
        }}
        data={[
          { value: '', label: 'Every state' },
          ...deliveryStates.map((state) => ({ value: state, label: stateNames[state] })),
        ]}
      />
      <NativeSelect
        size="xs"
        aria-label="Event"
        value={view.event ?? ''}
        onChange={(event) => {
          const { value } = event.currentTarget;
          change({ event: eventTypes.find((type) => type === value) });
        }}
        data={[{ value: '', label: 'Every event' }, ...eventTypes]}
      />
    </>
  );
}

function NoDeliveries({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState icon={<Inbox size={20} />} title="No deliveries match">
      Choose another state or event to see more.
    </EmptyState>
  ) : (
    <EmptyState icon={<Inbox size={20} />} title="Nothing was sent yet">
      The next event is sent at once. To see it work now, send a test.
    </EmptyState>
  );
}

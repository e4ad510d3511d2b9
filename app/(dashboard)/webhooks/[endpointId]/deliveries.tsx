'use client';
import { Button, Group, Stack, Title } from '@mantine/core';
import { useState } from 'react';
import { eventTypes } from '@/src/outbox/event-types';
import { useView } from '@/src/ui/browser/use-view';
import { EmptyState } from '@/src/ui/components/empty-state';
import { ErrorNote } from '@/src/ui/components/error-note';
import { Inbox, RotateCcw } from '@/src/ui/components/icons';
import { ShowOlder } from '@/src/ui/components/show-older';
import { Choice } from '@/src/ui/forms/choice';
import { neighboursIn, stepFrom } from '@/src/ui/overlays/neighbours';
import { shownLater } from '@/src/ui/overlays/shown-later';
import type { Delivery } from '@/src/webhooks/delivery-schema';
import { webhookLimits } from '@/src/webhooks/limits';
import type { Endpoint } from '../endpoint-status';
import { deliveryButtonId, replayFailedId } from '../openers';
import { deliveriesForm, deliveryStates } from './deliveries-view';
import { stateNames } from './delivery-state';
import { DeliveryTable, DeliveryTableSkeleton } from './delivery-table';
import { useDeliveryLog } from './use-delivery-log';

const DeliverySheet = shownLater(async () => (await import('./delivery-sheet')).DeliverySheet, {
  isInAddress: true,
});
const ReplayFailed = shownLater(async () => (await import('./replay-failed')).ReplayFailed);

/** The log of an endpoint, newest first. */
export function Deliveries({ endpoint }: { endpoint: Endpoint }) {
  const { view, change } = useView(deliveriesForm);
  const [isReplaying, setIsReplaying] = useState(false);
  const { log: deliveries, rows, note } = useDeliveryLog(endpoint.id, view);
  const ids = rows?.map(({ id }) => id) ?? [];
  const canSend = endpoint.status === 'enabled';
  const isFiltered = Boolean(view.state ?? view.event);
  // Known where all are here; else the dialog counts.
  const isAll = rows && !deliveries.hasNextPage && !isFiltered;
  const hasNothingToReplay = isAll && !rows.some(isReplayable);
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
            disabled={!canSend || hasNothingToReplay}
            onClick={() => setIsReplaying(true)}
          >
            Replay failed
          </Button>
        </Group>
      </Group>
      {deliveries.isPending && <DeliveryTableSkeleton />}
      {!rows && <ErrorNote error={deliveries.error} retry={() => void deliveries.refetch()} />}
      {rows?.length === 0 && <NoDeliveries isFiltered={isFiltered} canSend={canSend} />}
      {rows && rows.length > 0 && (
        <DeliveryTable
          deliveries={rows}
          canSend={canSend}
          onOpen={(delivery) => change({ delivery })}
        />
      )}
      {deliveries.hasNextPage && (
        <ShowOlder
          isPending={deliveries.isFetchingNextPage}
          error={deliveries.isFetchNextPageError && deliveries.error}
          heir={deliveryButtonId(ids.at(-1) ?? '')}
          onClick={() => void deliveries.fetchNextPage()}
        />
      )}
      {view.delivery && (
        <DeliverySheet
          id={view.delivery}
          neighbours={{
            ...neighboursIn(ids, view.delivery),
            onStep: (to) => change((now) => ({ delivery: stepFrom(ids, now.delivery, to) })),
          }}
          url={endpoint.url}
          canSend={canSend}
          onRead={note}
          onClose={() => change({ delivery: undefined })}
        />
      )}
      {isReplaying && <ReplayFailed endpoint={endpoint} onClose={() => setIsReplaying(false)} />}
    </Stack>
  );
}

/** As the service takes it: failed for good or for now, and no test, which is sent once. */
function isReplayable({ state, attempt_count, is_test }: Delivery): boolean {
  return !is_test && (state === 'failed' || (state === 'pending' && attempt_count > 0));
}

function Filters() {
  const { view, change } = useView(deliveriesForm);
  return (
    <>
      <Choice
        label="State"
        all="Every state"
        value={view.state}
        choices={deliveryStates.map((state) => ({ value: state, label: stateNames[state] }))}
        onChange={(state) => change({ state })}
      />
      <Choice
        label="Event"
        all="Every event"
        value={view.event}
        choices={eventTypes.map((type) => ({ value: type, label: type }))}
        onChange={(event) => change({ event })}
      />
    </>
  );
}

const nothingSent = `Nothing was sent in the last ${webhookLimits.logDays} days`;

function NoDeliveries({ isFiltered, canSend }: { isFiltered: boolean; canSend: boolean }) {
  return isFiltered ? (
    <div role="status">
      <EmptyState icon={<Inbox size={20} />} title="No deliveries match">
        Choose another state or event to see more.
      </EmptyState>
    </div>
  ) : (
    <EmptyState icon={<Inbox size={20} />} title={nothingSent}>
      {canSend
        ? 'The next event is sent at once. To see it work now, send a test.'
        : 'Nothing is sent before the endpoint is resumed.'}
    </EmptyState>
  );
}

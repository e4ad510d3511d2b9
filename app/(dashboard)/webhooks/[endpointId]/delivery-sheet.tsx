'use client';
import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useIsMutating, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTRPC } from '@/src/ui/calls/trpc';
import { useSingleMutation } from '@/src/ui/calls/use-single-mutation';
import { CodeBlock } from '@/src/ui/code/code-block';
import { CopyNote, CopyWords } from '@/src/ui/code/copy-button';
import { formatBody } from '@/src/ui/code/format-body';
import { useCopy } from '@/src/ui/code/use-copy';
import { Disclosure } from '@/src/ui/components/disclosure';
import { ErrorNote } from '@/src/ui/components/error-note';
import { RotateCcw, SquareTerminal } from '@/src/ui/components/icons';
import { Note } from '@/src/ui/components/note';
import { shownName } from '@/src/ui/components/shown-name';
import type { Neighbours } from '@/src/ui/overlays/neighbours';
import { Sheet, SheetSection } from '@/src/ui/overlays/sheet';
import { Instant } from '@/src/ui/time/instant';
import type { Delivery, DeliveryWithAttempts } from '@/src/webhooks/delivery-schema';
import { deliveryButtonId } from '../openers';
import { Attempts } from './attempts';
import { hint, prospect } from './delivery-hints';
import { requestAsCurl, requestHead, sentTo } from './delivery-request';
import { DeliveryStateBadge } from './delivery-state';

const refreshMs = { pending: 1_500, settled: 15_000 };

/** Everything about one delivery, beside the log it is from. */
export function DeliverySheet(
  props: DetailsProps & { neighbours: Neighbours; onClose: () => void },
) {
  const { neighbours, onClose, ...details } = props;
  const opener = deliveryButtonId(details.id);
  return (
    <Sheet title="Delivery" opener={opener} neighbours={neighbours} onClose={onClose}>
      <Details key={details.id} {...details} />
    </Sheet>
  );
}

type DetailsProps = {
  id: string;
  url: string;
  canSend: boolean;
  onRead: (delivery: Delivery) => void;
};

function Details(props: DetailsProps) {
  const { onRead } = props;
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const delivery = useQuery(
    trpc.webhooks.deliveries.get.queryOptions(
      { id: props.id },
      {
        refetchInterval: ({ state }) =>
          state.data?.state === 'pending' ? refreshMs.pending : refreshMs.settled,
      },
    ),
  );
  const isSettled = delivery.data !== undefined && delivery.data.state !== 'pending';
  // The row in the log behind, and the state of the endpoint, may have changed with it.
  useEffect(() => {
    if (delivery.data) onRead(delivery.data);
  }, [delivery.data, onRead]);
  useEffect(() => {
    if (isSettled) void queryClient.invalidateQueries(trpc.webhooks.endpoints.pathFilter());
  }, [isSettled, queryClient, trpc]);
  if (delivery.data) {
    return <Content {...props} delivery={delivery.data} />;
  }
  if (delivery.error) {
    return <ErrorNote error={delivery.error} retry={() => void delivery.refetch()} />;
  }
  return (
    <Stack gap="md" role="status" aria-label="Loading">
      <Skeleton height={22} width={220} />
      <Skeleton height={36} />
      <Skeleton height={180} />
    </Stack>
  );
}

function Content(props: DetailsProps & { delivery: DeliveryWithAttempts }) {
  const { delivery } = props;
  const url = sentTo(delivery, props.url);
  const problem = delivery.state === 'succeeded' ? undefined : hint(delivery);
  const outcome = delivery.state === 'pending' ? 'pending' : delivery.attempt_count;
  return (
    <Stack gap="lg">
      <div>
        {/* Read when it comes, and as its state changes: the focus stays on the button of the last step. */}
        <Group gap="sm" role="status">
          <Title order={3} fz={16}>
            {delivery.event_type}
          </Title>
          {/* Put there anew for each outcome: the same one, of another attempt, is read as well. */}
          <DeliveryStateBadge key={outcome} state={delivery.state} />
        </Group>
        <Text size="sm" c="dimmed" mt={4} component="div">
          {delivery.resource_name && (
            <>
              <bdi>{shownName(delivery.resource_name)}</bdi> ·{' '}
            </>
          )}
          {delivery.is_test ? 'Test sent' : 'Happened'} <Instant at={delivery.created_at} />
          {props.canSend && delivery.next_attempt_at && delivery.attempt_count > 0 && (
            <>
              {' '}
              · next attempt <Instant at={delivery.next_attempt_at} isToCome />
            </>
          )}
        </Text>
      </div>
      {problem && (
        <Note tone={delivery.state === 'failed' ? 'bad' : 'warning'}>
          {problem} {prospect(delivery, props.canSend)}
        </Note>
      )}
      <Actions {...props} url={url} />
      <SheetSection title="Request">
        <Stack gap="xs">
          <CodeBlock text={formatBody(delivery.payload)} label="request body" />
          <Disclosure title="Headers of the request">
            <CodeBlock text={requestHead(delivery, url)} label="request headers" />
          </Disclosure>
        </Stack>
      </SheetSection>
      <SheetSection title="Attempts">
        <Attempts delivery={delivery} url={props.url} />
      </SheetSection>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        Event {delivery.event_id} · about {delivery.resource_id}
      </Text>
    </Stack>
  );
}

function Actions(props: DetailsProps & { delivery: DeliveryWithAttempts }) {
  const { delivery, url } = props;
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const copying = useCopy();
  const mutationKey = [...trpc.webhooks.deliveries.resend.mutationKey(), delivery.id];
  const resend = useSingleMutation({
    ...trpc.webhooks.deliveries.resend.mutationOptions({
      onSuccess: (sent) => {
        props.onRead(sent);
        void queryClient.invalidateQueries(trpc.webhooks.endpoints.pathFilter());
        return queryClient.invalidateQueries(
          trpc.webhooks.deliveries.get.queryFilter({ id: sent.id }),
        );
      },
    }),
    mutationKey,
  });
  // Also one that was begun before the sheet was left and opened again.
  const isSending = useIsMutating({ mutationKey }) > 0;
  return (
    <>
      <Group gap="xs">
        <Button
          size="xs"
          leftSection={<RotateCcw size={14} />}
          loading={isSending}
          disabled={!props.canSend}
          onClick={() => resend.mutate({ id: delivery.id })}
        >
          Resend
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<SquareTerminal size={14} />}
          onClick={() => copying.copy(requestAsCurl(delivery, url))}
        >
          <CopyWords copying={copying}>Copy as curl</CopyWords>
        </Button>
      </Group>
      <CopyNote copying={copying} isOutOfSight />
      <ErrorNote error={resend.error} />
    </>
  );
}

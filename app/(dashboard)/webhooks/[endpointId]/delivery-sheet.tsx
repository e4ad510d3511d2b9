'use client';
import { Button, Drawer, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { CodeBlock } from '@/src/ui/code-block';
import { ErrorNote } from '@/src/ui/error-note';
import { RotateCcw, SquareTerminal } from '@/src/ui/icons';
import { Instant } from '@/src/ui/instant';
import { Note } from '@/src/ui/note';
import { type Outputs, useTRPC } from '@/src/ui/trpc';
import { useCopy } from '@/src/ui/use-copy';
import { deliveryButtonId } from '../openers';
import { Attempts } from './attempts';
import { hint } from './delivery-hints';
import { formatBody, requestAsCurl, requestHead } from './delivery-request';
import { DeliveryStateBadge } from './delivery-state';

type Delivery = Outputs['webhooks']['deliveries']['get'];

const refreshMs = { pending: 1_500, settled: 15_000 };

/** Everything about one delivery, beside the log it is from. */
export function DeliverySheet(props: {
  id: string;
  url: string;
  canSend: boolean;
  onClose: () => void;
}) {
  const { id } = props;
  function close() {
    props.onClose();
    requestAnimationFrame(() => document.getElementById(deliveryButtonId(id))?.focus());
  }
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size={560}
      title="Delivery"
      returnFocus={false}
      overlayProps={{ backgroundOpacity: 0.3 }}
      transitionProps={{ duration: 150 }}
      closeButtonProps={{ 'aria-label': 'Close' }}
      styles={{ title: { fontWeight: 600 } }}
    >
      <Details id={id} url={props.url} canSend={props.canSend} />
    </Drawer>
  );
}

function Details(props: { id: string; url: string; canSend: boolean }) {
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
  useEffect(() => {
    if (!isSettled) return;
    // The log behind and the state of the endpoint may have changed with it.
    void queryClient.invalidateQueries(trpc.webhooks.deliveries.list.pathFilter());
    void queryClient.invalidateQueries(trpc.webhooks.endpoints.pathFilter());
  }, [isSettled, queryClient, trpc]);
  if (delivery.data) {
    return <Content delivery={delivery.data} url={props.url} canSend={props.canSend} />;
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

function Content(props: { delivery: Delivery; url: string; canSend: boolean }) {
  const { delivery, url } = props;
  const problem = delivery.state === 'succeeded' ? undefined : hint(delivery);
  return (
    <Stack gap="lg">
      <div>
        <Group gap="sm">
          <Title order={3} fz={16}>
            {delivery.event_type}
          </Title>
          <DeliveryStateBadge state={delivery.state} />
        </Group>
        <Text size="sm" c="dimmed" mt={4} component="div">
          {delivery.is_test ? 'Test sent' : 'Happened'} <Instant at={delivery.created_at} />
          {delivery.next_attempt_at && delivery.attempt_count > 0 && (
            <>
              {' '}
              · next attempt <Instant at={delivery.next_attempt_at} />
            </>
          )}
        </Text>
      </div>
      {problem && <Note tone={delivery.state === 'failed' ? 'bad' : 'warning'}>{problem}</Note>}
      <Actions {...props} />
      <section aria-label="Attempts">
        <SectionTitle text="Attempts" />
        <Attempts delivery={delivery} />
      </section>
      <section aria-label="Request">
        <SectionTitle text="Request" />
        <Stack gap="xs">
          <CodeBlock text={requestHead(delivery, url)} label="request headers" />
          <CodeBlock text={formatBody(delivery.payload)} label="request body" />
        </Stack>
      </section>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        Event {delivery.event_id} · testimonial {delivery.resource_id}
      </Text>
    </Stack>
  );
}

function SectionTitle({ text }: { text: string }) {
  return (
    <Title order={4} fz={13} mb={8}>
      {text}
    </Title>
  );
}

function Actions(props: { delivery: Delivery; url: string; canSend: boolean }) {
  const { delivery, url } = props;
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { isCopied, copy } = useCopy();
  const resend = useMutation(
    trpc.webhooks.deliveries.resend.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.webhooks.pathFilter()),
    }),
  );
  return (
    <>
      <Group gap="xs">
        <Button
          size="xs"
          leftSection={<RotateCcw size={14} />}
          loading={resend.isPending}
          disabled={!props.canSend}
          onClick={() => resend.mutate({ id: delivery.id })}
        >
          Resend
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<SquareTerminal size={14} />}
          onClick={() => copy(requestAsCurl(delivery, url))}
        >
          {isCopied ? 'Copied' : 'Copy as curl'}
        </Button>
      </Group>
      <ErrorNote error={resend.error} />
    </>
  );
}

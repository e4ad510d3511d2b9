'use client';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { TextLink } from '@/app/text-link';
import { ErrorNote } from '@/src/ui/error-note';
import { ChevronLeft, Send } from '@/src/ui/icons';
import { Instant } from '@/src/ui/instant';
import { Note } from '@/src/ui/note';
import { PageHeader } from '@/src/ui/page-header';
import { useTRPC } from '@/src/ui/trpc';
import { type Endpoint, EndpointStatus, switchOffReason } from '../endpoint-status';
import { describeEvents } from '../events';
import { sendTestId } from '../openers';
import { SuccessBar } from '../success-bar';
import { Deliveries } from './deliveries';
import { type DialogName, EndpointMenu } from './endpoint-menu';

// Loaded when first opened: nobody waits for them to see the deliveries.
const EditEndpoint = dynamic(() => import('./edit-endpoint').then((file) => file.EditEndpoint));
const SendTest = dynamic(() => import('./send-test').then((file) => file.SendTest));
const RotateSecret = dynamic(() => import('./rotate-secret').then((file) => file.RotateSecret));
const DeleteEndpoint = dynamic(() =>
  import('./delete-endpoint').then((file) => file.DeleteEndpoint),
);

const refreshMs = 5_000;
export function EndpointDetail({ id }: { id: string }) {
  const endpoint = useQuery(
    useTRPC().webhooks.endpoints.get.queryOptions({ id }, { refetchInterval: refreshMs }),
  );
  if (!endpoint.data) {
    return <ErrorNote error={endpoint.error} retry={() => void endpoint.refetch()} />;
  }
  return (
    <>
      <Text size="sm" mb="sm" component="div">
        <TextLink href="/webhooks">
          <ChevronLeft size={14} style={{ verticalAlign: -2 }} aria-hidden />
          Webhooks
        </TextLink>
      </Text>
      <Overview endpoint={endpoint.data} />
      <Deliveries endpoint={endpoint.data} />
    </>
  );
}

function Overview({ endpoint }: { endpoint: Endpoint }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<DialogName>();
  const update = useMutation(
    trpc.webhooks.endpoints.update.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.webhooks.endpoints.pathFilter()),
    }),
  );
  const isEnabled = endpoint.status === 'enabled';
  const close = () => setOpen(undefined);
  const dialog = { endpoint, onClose: close };
  return (
    <Stack gap="sm" mb="xl">
      <PageHeader
        tight
        title={endpoint.url}
        text={endpoint.description}
        action={
          <Group gap="xs" wrap="nowrap">
            <Button
              id={sendTestId}
              variant="default"
              leftSection={<Send size={15} />}
              disabled={!isEnabled}
              onClick={() => setOpen('test')}
            >
              Send test
            </Button>
            <EndpointMenu
              isEnabled={isEnabled}
              onOpen={setOpen}
              onSwitch={() => update.mutate({ id: endpoint.id, enabled: !isEnabled })}
            />
          </Group>
        }
      />
      <ErrorNote error={update.error} />
      <Group gap="lg">
        <EndpointStatus status={endpoint.status} />
        <Text size="sm" c="dimmed">
          {describeEvents(endpoint.event_types)}
        </Text>
        <Text size="sm" component="div">
          <SuccessBar day={endpoint.last_day} />
        </Text>
        <Text size="sm" c="dimmed" component="div">
          Added <Instant at={endpoint.created_at} />
        </Text>
      </Group>
      <StateNote endpoint={endpoint} />
      {open === 'edit' && <EditEndpoint {...dialog} />}
      {open === 'test' && <SendTest {...dialog} />}
      {open === 'rotate' && <RotateSecret {...dialog} />}
      {open === 'delete' && <DeleteEndpoint {...dialog} />}
    </Stack>
  );
}

function StateNote({ endpoint }: { endpoint: Endpoint }) {
  if (endpoint.status === 'switched_off') {
    return (
      <Note tone="bad">
        Switched off. {switchOffReason(endpoint)} Repair the receiver, resume the endpoint, and
        replay what failed.
      </Note>
    );
  }
  if (endpoint.status === 'paused') {
    return (
      <Note tone="over">
        Paused: nothing is sent, and events of this time are not kept for it. What was pending goes
        out once it is resumed.
      </Note>
    );
  }
  if (endpoint.previous_secret_expires_at) {
    return (
      <Note tone="over">
        The secret before the last rotation signs too; it ends{' '}
        <Instant at={endpoint.previous_secret_expires_at} />.
      </Note>
    );
  }
  return null;
}

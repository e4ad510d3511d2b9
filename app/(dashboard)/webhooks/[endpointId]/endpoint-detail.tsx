'use client';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { type ReactNode, useState } from 'react';
import { TextLink } from '@/app/text-link';
import { FocusHeir } from '@/src/ui/browser/focus-heir';
import { tellDone } from '@/src/ui/browser/tell-done';
import { isGone } from '@/src/ui/calls/errors';
import { useTRPC } from '@/src/ui/calls/trpc';
import { useSingleMutation } from '@/src/ui/calls/use-single-mutation';
import { EmptyState } from '@/src/ui/components/empty-state';
import { ErrorNote } from '@/src/ui/components/error-note';
import { ShowMore, useFolding } from '@/src/ui/components/folded';
import { ChevronLeft, FileQuestion, Play, Send } from '@/src/ui/components/icons';
import { Note } from '@/src/ui/components/note';
import { PageHeader } from '@/src/ui/components/page-header';
import { shownLater } from '@/src/ui/overlays/shown-later';
import { Instant } from '@/src/ui/time/instant';
import { type Endpoint, EndpointStatus, switchOffReason } from '../endpoint-status';
import { describeEvents } from '../events';
import { endpointButtonId, sendTestId } from '../openers';
import { SuccessBar } from '../success-bar';
import { Deliveries } from './deliveries';
import { EndpointHistory } from './endpoint-history';
import { type DialogName, EndpointMenu } from './endpoint-menu';
import { useIsBeingDeleted } from './use-is-being-deleted';
import { useTitle } from './use-title';

const DeleteEndpoint = shownLater(async () => (await import('./delete-endpoint')).DeleteEndpoint);
const PauseEndpoint = shownLater(async () => (await import('./pause-endpoint')).PauseEndpoint);
const SendTest = shownLater(async () => (await import('./send-test')).SendTest);
const EditEndpoint = shownLater(async () => (await import('./edit-endpoint')).EditEndpoint);
const RotateSecret = shownLater(async () => (await import('./rotate-secret')).RotateSecret);

const refreshMs = 5_000;

export function EndpointDetail({ id }: { id: string }) {
  const [isDeleted, setIsDeleted] = useState(false);
  const isBeingDeleted = useIsBeingDeleted();
  const endpoint = useQuery(
    useTRPC().webhooks.endpoints.get.queryOptions(
      { id },
      {
        refetchInterval: ({ state }) => !isGone(state.error) && refreshMs,
        enabled: !isDeleted && !isBeingDeleted,
      },
    ),
  );
  useTitle(endpoint.data);
  // On the way to the list: what is gone is asked for no more.
  if (isDeleted) return <BackLink />;
  if (isGone(endpoint.error)) return <Gone />;
  if (!endpoint.data) {
    return (
      <>
        <BackLink />
        <ErrorNote error={endpoint.error} retry={() => void endpoint.refetch()} />
      </>
    );
  }
  return (
    <>
      <BackLink />
      <Overview endpoint={endpoint.data} onDeleted={() => setIsDeleted(true)} />
      <Deliveries endpoint={endpoint.data} />
      <EndpointHistory endpoint={endpoint.data} />
      <FocusHeir id={undefined} />
    </>
  );
}

/** Where the endpoint was deleted while its page was open, elsewhere or here without an answer. */
function Gone() {
  return (
    <div role="alert">
      <EmptyState
        icon={<FileQuestion size={20} />}
        isPage
        title="This endpoint was deleted"
        action={
          <Button component={Link} href="/webhooks">
            Back to webhooks
          </Button>
        }
      >
        It is sent nothing any more, and the log of its deliveries is deleted too.
      </EmptyState>
    </div>
  );
}

function BackLink() {
  return (
    <Text size="sm" mb="sm" component="div">
      <TextLink href="/webhooks">
        <ChevronLeft size={14} style={{ verticalAlign: -2 }} />
        Webhooks
      </TextLink>
    </Text>
  );
}

function Overview({ endpoint, onDeleted }: { endpoint: Endpoint; onDeleted: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<DialogName>();
  const folding = useFolding<HTMLElement>(endpoint.url);
  const resuming = useSingleMutation(
    trpc.webhooks.endpoints.update.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.webhooks.endpoints.pathFilter());
        tellDone('The endpoint is resumed');
      },
    }),
    endpointButtonId,
  );
  const isEnabled = endpoint.status === 'enabled';
  const close = () => setOpen(undefined);
  const resume = () => resuming.mutate({ id: endpoint.id, enabled: true });
  const dialog = { endpoint, onClose: close };
  function show(name: DialogName) {
    // What became of the last try is of no interest any more.
    if (resuming.isError) resuming.reset();
    setOpen(name);
  }
  return (
    <Stack gap="sm" mb="xl">
      <PageHeader
        tight
        title={
          <bdi ref={folding.ref} className={folding.className}>
            {endpoint.url}
          </bdi>
        }
        text={
          (folding.isLong || endpoint.description) && (
            <>
              <ShowMore folding={folding} />
              {endpoint.description && (
                <div>
                  <bdi>{endpoint.description}</bdi>
                </div>
              )}
            </>
          )
        }
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
            <EndpointMenu isEnabled={isEnabled} onOpen={show} onResume={resume} />
          </Group>
        }
      />
      <Group gap="lg">
        <EndpointStatus status={endpoint.status} />
        <Text size="sm" c="dimmed">
          {describeEvents(endpoint.event_types)}
        </Text>
        <Text size="sm" component="div">
          <SuccessBar endpoint={endpoint} isAlone />
        </Text>
        <Text size="sm" c="dimmed" component="div">
          Added <Instant at={endpoint.created_at} />
        </Text>
      </Group>
      <StateNote endpoint={endpoint}>
        <Button
          size="xs"
          variant="default"
          leftSection={<Play size={14} />}
          loading={resuming.isPending}
          onClick={resume}
        >
          Resume
        </Button>
      </StateNote>
      {/* Where its answer was lost it may be enabled by now. */}
      {!isEnabled && <ErrorNote error={resuming.error} />}
      {open === 'edit' && <EditEndpoint {...dialog} />}
      {open === 'pause' && <PauseEndpoint {...dialog} />}
      {open === 'test' && <SendTest {...dialog} />}
      {open === 'rotate' && <RotateSecret {...dialog} />}
      {open === 'delete' && <DeleteEndpoint {...dialog} onDeleted={onDeleted} />}
    </Stack>
  );
}

/** What is to be known of its state; of one that is sent nothing, with the way out. */
function StateNote({ endpoint, children }: { endpoint: Endpoint; children: ReactNode }) {
  const { status, previous_secret_expires_at } = endpoint;
  if (status !== 'enabled') {
    const isOff = status === 'switched_off';
    return (
      <Note tone={isOff ? 'bad' : 'over'} role={isOff ? undefined : 'status'}>
        <Group justify="space-between" gap="sm">
          <FocusHeir id={endpointButtonId} />
          <Text size="sm" style={{ flex: '1 1 20rem' }}>
            {isOff
              ? `Switched off. ${switchOffReason(endpoint)} Repair the receiver, resume the endpoint, and replay what failed.`
              : 'Paused: nothing is sent, and events of this time are not kept for it. What was pending goes out once it is resumed.'}
          </Text>
          {children}
        </Group>
      </Note>
    );
  }
  if (!previous_secret_expires_at) return null;
  return (
    <Note tone="over">
      The secret before the last rotation signs too; it ends{' '}
      <Instant at={previous_secret_expires_at} isToCome />.
    </Note>
  );
}

'use client';
import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { contractEventTypes } from '@/src/outbox/event-types';
import { codeOf, isUncertain } from '@/src/ui/calls/errors';
import { useOnce } from '@/src/ui/calls/once';
import { useTRPC, useTRPCClient } from '@/src/ui/calls/trpc';
import { useSingleMutation } from '@/src/ui/calls/use-single-mutation';
import { CodeBlock } from '@/src/ui/code/code-block';
import { SnippetTabs } from '@/src/ui/code/snippet-tabs';
import { Disclosure } from '@/src/ui/components/disclosure';
import { ErrorNote } from '@/src/ui/components/error-note';
import { Note } from '@/src/ui/components/note';
import type { Delivery } from '@/src/webhooks/delivery-schema';
import { describeOutcome, hint } from '../webhooks/[endpointId]/delivery-hints';
import { endpointCall, testEventCall } from './calls';
import type { ShownKey } from './shown-key';
import { Waiting } from './step';

const pollMs = { onItsWay: 700, otherwise: 3_000 };

/** An endpoint made on the spot, and what became of the test event that it was sent. */
export function FirstWebhook(props: {
  apiKey: ShownKey | undefined;
  onReceived: (isReceived: boolean) => void;
}) {
  const { apiKey, onReceived } = props;
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const { endpoints, deliveries } = trpc.webhooks;
  /** Of the endpoint with the `id`, of a new one where there is none: another tab may add one meanwhile. */
  const [meant, setMeant] = useState<{ id: string | undefined; url: string }>();
  const list = useQuery(
    endpoints.list.queryOptions(undefined, { refetchInterval: pollMs.otherwise }),
  );
  const [secret, setSecret] = useState<string>();
  const once = useOnce();
  /** What it was to be made with while nobody knows whether it was: then its secret is not told yet. */
  const [asked, setAsked] = useState<string>();
  const isOfOwn = ({ id, url }: { id: string; url: string }) =>
    // Something else than what was asked for is of what came of that.
    meant?.id === id || (meant?.id === undefined && url === asked && meant?.url.trim() !== asked);
  const endpoint = meant ? list.data?.find(isOfOwn) : list.data?.[0];
  const send = useSingleMutation({
    mutationFn: async (wanted: string) => {
      const { create, update, sendTest } = client.webhooks.endpoints;
      if (!endpoint || asked === wanted) {
        const event_types = [...contractEventTypes];
        const created = await create
          .mutate({ url: wanted, event_types }, { context: once })
          .catch((error: unknown) => {
            if (codeOf(error) === 'IDEMPOTENCY_KEY_REUSED') once.once.renew();
            else setAsked(isUncertain(error) ? wanted : undefined);
            throw error;
          });
        setAsked(undefined);
        setMeant({ id: created.id, url: wanted });
        setSecret(created.secret);
        return sendTest.mutate({ id: created.id });
      }
      const { id } = endpoint;
      if (wanted !== endpoint.url) await update.mutate({ id, url: wanted });
      return sendTest.mutate({ id });
    },
    onSettled: () => queryClient.invalidateQueries(trpc.webhooks.pathFilter()),
  });
  const log = useQuery(
    deliveries.list.queryOptions(
      { endpoint_id: endpoint?.id ?? '', limit: 10 },
      {
        enabled: endpoint !== undefined,
        refetchInterval: ({ state }) =>
          state.data?.data.some((row) => row.state === 'pending')
            ? pollMs.onItsWay
            : pollMs.otherwise,
      },
    ),
  );
  const test = log.data?.data.find(({ is_test }) => is_test);
  const isReceived = test?.state === 'succeeded';
  useEffect(() => {
    if (isReceived) onReceived(true);
  }, [isReceived, onReceived]);
  const typed = meant?.url ?? endpoint?.url ?? '';

  function submit(event: FormEvent) {
    event.preventDefault();
    send.mutate(typed.trim());
  }

  return (
    <Stack gap="sm">
      <form onSubmit={submit}>
        <Stack gap="sm" align="start">
          <TextInput
            w="100%"
            type="url"
            label="URL"
            description="An address of yours that answers POST requests. It is sent a test event at once, and from now on what happens to your testimonials."
            placeholder="https://example.com/webhooks"
            value={typed}
            onChange={(event) => setMeant({ id: endpoint?.id, url: event.currentTarget.value })}
            maxLength={2048}
            required
            withAsterisk={false}
          />
          <Button type="submit" loading={send.isPending}>
            {endpoint ? 'Send a test event' : 'Add it and send a test event'}
          </Button>
        </Stack>
      </form>
      <ErrorNote error={send.error} />
      {test && <Result test={test} />}
      {secret && (
        <div>
          <Text size="sm" mb={6}>
            The secret that its requests are signed with. It is shown only now; a new one is made on
            the endpoint’s page.
          </Text>
          <CodeBlock text={secret} label="secret" />
        </div>
      )}
      {endpoint && (
        <Anchor href={`/webhooks/${endpoint.id}`} size="sm" target={apiKey && '_blank'}>
          See what it was sent, change it or delete it
        </Anchor>
      )}
      {!endpoint && <NoAddress />}
      <Disclosure title={endpoint ? 'Send a test by the API' : 'Add it by the API'}>
        <SnippetTabs
          call={
            endpoint
              ? testEventCall(endpoint.id)
              : endpointCall(typed || 'https://example.com/webhooks')
          }
          apiKey={apiKey?.key}
          label="webhook request"
        />
      </Disclosure>
    </Stack>
  );
}

function Result({ test }: { test: Delivery }) {
  if (test.state === 'pending') return <Waiting>Sending the test event…</Waiting>;
  if (test.state === 'succeeded') {
    return (
      <Note tone="good" role="status">
        Received: the address answered {test.response_status}.
      </Note>
    );
  }
  return (
    <Note tone="bad" role="alert">
      Not received: {describeOutcome(test)}. {hint(test)} Then send another.
    </Note>
  );
}

/** How to come by an address, in words: which service is the person's to choose. */
function NoAddress() {
  return (
    <Disclosure title="No address at hand?">
      <Text size="sm" c="dimmed">
        Search the web for “webhook tester”: such a page gives you an address at once and shows what
        it is sent. Whoever runs it can read that too, so delete the endpoint afterwards. Or run a
        server on your own machine and search for “tunnel to localhost” to give it a public address.
      </Text>
    </Disclosure>
  );
}

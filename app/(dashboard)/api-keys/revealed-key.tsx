'use client';
import { Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type Outputs, useTRPC } from '@/src/ui/calls/trpc';
import { CodeBlock } from '@/src/ui/code/code-block';
import { SnippetTabs } from '@/src/ui/code/snippet-tabs';
import { CircleCheck } from '@/src/ui/components/icons';
import { copyOnceId, ShownOnce } from '@/src/ui/overlays/shown-once';
import { Steps } from '../first-steps/steps';
import { exampleRequest } from './example-request';
import { scopesInWords } from './scope-words';

const pollMs = 1500;

/**
 * The key itself, with a request to try it; nobody can see it again afterwards. With the first steps
 * where they can be taken with it, and the account has not taken them.
 */
export function RevealedKey(props: {
  apiKey: Outputs['apiKeys']['create'];
  isFirst?: boolean;
  onDone: () => void;
}) {
  const { apiKey } = props;
  if (props.isFirst && apiKey.scopes.includes('read') && apiKey.scopes.includes('write')) {
    return (
      <Stack gap="md">
        <ShownKey apiKey={apiKey} />
        <Steps apiKey={apiKey} />
        <Group justify="space-between" gap="sm">
          <Text size="sm" c="dimmed" flex="1 1 12.5rem">
            You can leave them for later: an empty inbox shows them too.
          </Text>
          <Button onClick={props.onDone}>Done</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <Stack gap="md">
      <ShownKey apiKey={apiKey} />
      <div>
        <Text size="sm" fw={500} mb={6}>
          Try it
        </Text>
        <SnippetTabs call={exampleRequest(apiKey.scopes)} apiKey={apiKey.key} label="request" />
      </div>
      <Group justify="space-between" gap="sm">
        <FirstUse id={apiKey.id} />
        <Button onClick={props.onDone}>Done</Button>
      </Group>
    </Stack>
  );
}

function ShownKey({ apiKey }: { apiKey: Outputs['apiKeys']['create'] }) {
  return (
    <>
      <ShownOnce thing="key" />
      <CodeBlock text={apiKey.key} label="key" copyId={copyOnceId} />
      <Text size="sm">{scopesInWords(apiKey.scopes)}</Text>
    </>
  );
}

/** Turns by itself when the first request with the key comes in. */
function FirstUse({ id }: { id: string }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { data } = useQuery(
    trpc.apiKeys.get.queryOptions(
      { id },
      { refetchInterval: ({ state }) => (state.data?.last_used_at ? false : pollMs), staleTime: 0 },
    ),
  );
  const isUsed = Boolean(data?.last_used_at);
  useEffect(() => {
    if (!isUsed) return;
    void queryClient.invalidateQueries(trpc.apiKeys.list.queryFilter());
    void queryClient.invalidateQueries(trpc.apiKeys.usage.queryFilter());
  }, [isUsed, queryClient, trpc]);
  return (
    <Group gap={8} role="status" h={24}>
      {isUsed ? (
        <CircleCheck size={18} color="var(--mantine-color-green-filled)" aria-hidden />
      ) : (
        <Loader size={16} color="gray" aria-hidden />
      )}
      <Text size="sm" c={isUsed ? undefined : 'dimmed'}>
        {isUsed ? 'First request received' : 'Waiting for the first request…'}
      </Text>
    </Group>
  );
}

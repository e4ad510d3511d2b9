'use client';
import { Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { CodeBlock } from '@/src/ui/code-block';
import { CircleCheck } from '@/src/ui/icons';
import { Note } from '@/src/ui/note';
import { type Outputs, useTRPC } from '@/src/ui/trpc';
import { exampleRequest } from './example-request';

const pollMs = 1500;

/** The key itself, with a request to try it; nobody can see it again afterwards. */
export function RevealedKey(props: { apiKey: Outputs['apiKeys']['create']; onDone: () => void }) {
  const { apiKey } = props;
  return (
    <Stack gap="md">
      <Note tone="warning">
        Copy the key now and keep it like a password. It is shown only this once.
      </Note>
      <CodeBlock text={apiKey.key} label="key" />
      <div>
        <Text size="sm" fw={500} mb={6}>
          Try it
        </Text>
        <CodeBlock
          text={exampleRequest({ key: apiKey.key, scopes: apiKey.scopes, origin: location.origin })}
          label="request"
        />
      </div>
      <Group justify="space-between" gap="sm">
        <FirstUse id={apiKey.id} />
        <Button onClick={props.onDone}>Done</Button>
      </Group>
    </Stack>
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

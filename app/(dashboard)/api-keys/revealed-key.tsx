'use client';
import { Button, Group, Loader, Stack, Text } from '@mantine/core';
import type { Outputs } from '@/src/ui/calls/trpc';
import { CodeBlock } from '@/src/ui/code/code-block';
import { SnippetTabs } from '@/src/ui/code/snippet-tabs';
import { CircleCheck } from '@/src/ui/components/icons';
import { copyOnceId, ShownOnce } from '@/src/ui/overlays/shown-once';
import { pollMs } from '../first-steps/polling';
import { Steps } from '../first-steps/steps';
import { useFirstUse } from '../first-steps/use-first-use';
import { exampleRequest } from './example-request';
import { scopesInWords } from './scope-words';

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
  const { id, key, scopes } = apiKey;
  const showsSteps = props.isFirst && scopes.includes('read') && scopes.includes('write');
  return (
    <Stack gap="md">
      <ShownOnce thing="key" />
      <CodeBlock text={key} label="key" copyId={copyOnceId} />
      <Text size="sm">{scopesInWords(scopes)}</Text>
      {showsSteps ? (
        <Steps apiKey={apiKey} />
      ) : (
        <div>
          <Text size="sm" fw={500} mb={6}>
            Try it
          </Text>
          <SnippetTabs call={exampleRequest(scopes)} apiKey={key} label="request" />
        </div>
      )}
      <Group justify="space-between" gap="sm">
        {showsSteps ? (
          <Text size="sm" c="dimmed" flex="1 1 12.5rem">
            You can leave them for later: an empty inbox shows them too.
          </Text>
        ) : (
          <FirstUse id={id} />
        )}
        <Button onClick={props.onDone}>Done</Button>
      </Group>
    </Stack>
  );
}

/** Turns by itself when the first request with the key comes in. */
function FirstUse({ id }: { id: string }) {
  const isUsed = useFirstUse(id, pollMs.inDialog);
  return (
    <Group gap={8} role="status" h={24}>
      {isUsed ? (
        <CircleCheck size={18} color="var(--mantine-color-green-filled)" />
      ) : (
        <Loader size={16} color="gray" aria-hidden />
      )}
      <Text size="sm" c={isUsed ? undefined : 'dimmed'}>
        {isUsed ? 'First request received' : 'Waiting for the first request…'}
      </Text>
    </Group>
  );
}

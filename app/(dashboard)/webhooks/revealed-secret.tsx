'use client';
import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CodeBlock } from '@/src/ui/code/code-block';
import { copyOnceId, ShownOnce } from '@/src/ui/overlays/shown-once';
import { verificationExamples } from './verification-examples';

/** The signing secret, and how to use it; nobody can see it again afterwards. */
export function RevealedSecret(props: { secret: string; onDone: () => void }) {
  const [language, setLanguage] = useState<keyof typeof verificationExamples>('Node');
  return (
    <Stack gap="md">
      <ShownOnce thing="secret" />
      <CodeBlock text={props.secret} label="secret" copyId={copyOnceId} />
      <div>
        <Group justify="space-between" mb={6}>
          <Text size="sm" fw={500}>
            Verify that a request is from us
          </Text>
          <SegmentedControl
            size="xs"
            aria-label="Language"
            value={language}
            onChange={(value) => setLanguage(value === 'Python' ? 'Python' : 'Node')}
            data={['Node', 'Python']}
          />
        </Group>
        <CodeBlock text={verificationExamples[language]} label={`${language} example`} />
        <Text size="xs" c="dimmed" mt={6}>
          Signed by the Standard Webhooks scheme; there are libraries for other languages too.
        </Text>
      </div>
      <Group justify="flex-end">
        <Button onClick={props.onDone}>Done</Button>
      </Group>
    </Stack>
  );
}

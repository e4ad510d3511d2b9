'use client';
import { Anchor, Stack, Text } from '@mantine/core';
import Link from 'next/link';
import { SnippetTabs } from '@/src/ui/code/snippet-tabs';
import { listCall } from './calls';
import type { ShownKey } from './shown-key';
import { Waiting } from './step';

/** A read, which does no harm. */
export function FirstRequest(props: { apiKey: ShownKey | undefined; isUsed: boolean }) {
  return (
    <Stack gap="sm">
      <KeyAdvice apiKey={props.apiKey} />
      <Text size="sm">Paste this into a terminal: it lists your testimonials.</Text>
      <SnippetTabs call={listCall} apiKey={props.apiKey?.key} label="request" />
      {!props.isUsed && <Waiting>Waiting for the first request…</Waiting>}
    </Stack>
  );
}

/** Where the key comes from, where it is not shown. */
export function KeyAdvice({ apiKey }: { apiKey: ShownKey | undefined }) {
  if (apiKey) return null;
  return (
    <Text size="sm" c="dimmed">
      A key is shown once, when you make it. Put yours where the code says so, one that may read and
      write.{' '}
      <Anchor component={Link} href="/api-keys" inherit underline="always">
        Make a key
      </Anchor>
    </Text>
  );
}

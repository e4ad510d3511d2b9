'use client';
import { Button, Stack } from '@mantine/core';
import Link from 'next/link';
import { useSyncExternalStore } from 'react';
import { CodeBlock } from '@/src/ui/code-block';
import { EmptyState } from '@/src/ui/empty-state';
import { ScrollText } from '@/src/ui/icons';

const never = () => () => {};

/** What stands where no request was made yet: how to make one. */
export function NoRequests() {
  const origin = useSyncExternalStore(
    never,
    () => window.location.origin,
    () => '',
  );
  const command = `curl ${origin}/api/v1/testimonials \\\n  -H "Authorization: Bearer YOUR_KEY"`;
  return (
    <EmptyState
      icon={<ScrollText size={20} />}
      title="No request yet"
      action={
        <Button component={Link} href="/api-keys" variant="default">
          Go to the keys
        </Button>
      }
    >
      <Stack gap="sm" ta="left">
        <span style={{ textAlign: 'center' }}>
          Send one with a key of yours; it is here a second or two later.
        </span>
        <CodeBlock text={command} label="first request" />
      </Stack>
    </EmptyState>
  );
}

import { Button, Stack } from '@mantine/core';
import Link from 'next/link';
import { EmptyState } from '@/src/ui/empty-state';
import { ScrollText } from '@/src/ui/icons';
import { SnippetTabs } from '@/src/ui/snippet-tabs';
import { listCall } from '../first-steps/calls';

/** What stands where the log has no request: how to make one. */
export function NoRequests() {
  return (
    <EmptyState
      icon={<ScrollText size={20} />}
      title="No request in the last 7 days"
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
        <SnippetTabs call={listCall} label="first request" />
      </Stack>
    </EmptyState>
  );
}

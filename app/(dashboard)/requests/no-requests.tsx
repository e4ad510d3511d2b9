import { Button, Stack } from '@mantine/core';
import Link from 'next/link';
import { SnippetTabs } from '@/src/ui/code/snippet-tabs';
import { EmptyState } from '@/src/ui/components/empty-state';
import { ScrollText } from '@/src/ui/components/icons';
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

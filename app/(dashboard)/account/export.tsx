'use client';
import { Button, Stack, Text } from '@mantine/core';
import { accountParameter } from '@/src/mode';
import { useShownAccount } from '@/src/ui/session/shown-mode';
import { canOpenPages } from '../offline-notice';

export function Export() {
  const account = useShownAccount();
  return (
    <Stack gap="sm">
      <Text size="sm">
        One file with spaces, testimonials, keys and endpoints without their secrets, what became of
        deliveries, and who changed keys and endpoints; test data after it. A line of JSON for each.
        Of uploaded videos and pictures it has the addresses alone; events, the log of requests and
        sessions are not in it.
      </Text>
      <Button
        component="a"
        href={`/api/account/export?${new URLSearchParams({ [accountParameter]: account })}`}
        // What is answered where there is no file, as while another is read, would take the place of
        // this page. A tab that gets the file closes by itself.
        target="_blank"
        rel="noopener"
        variant="default"
        style={{ alignSelf: 'start' }}
        onClick={(event) => {
          // A second one is refused while the first is read.
          if (event.detail > 1 || !canOpenPages()) event.preventDefault();
        }}
      >
        Download everything
      </Button>
    </Stack>
  );
}

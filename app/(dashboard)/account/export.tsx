import { Button, Stack, Text } from '@mantine/core';

export function Export() {
  return (
    <Stack gap="sm">
      <Text size="sm">
        One file with everything this account has: spaces, testimonials, keys and endpoints without
        their secrets, and what became of deliveries; test data after it. A line of JSON for each.
      </Text>
      <Button
        component="a"
        href="/api/account/export"
        variant="default"
        style={{ alignSelf: 'start' }}
      >
        Download everything
      </Button>
    </Stack>
  );
}

'use client';
import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { shownLater } from '@/src/ui/overlays/shown-later';

const DeletionDialog = shownLater(async () => (await import('./deletion-dialog')).DeletionDialog);

const buttonId = 'delete-account';

export function DeleteAccount({ email }: { email: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Stack gap="sm">
      <Text size="sm">
        Everything goes, for good: spaces, testimonials, files, keys and webhooks, and the test
        data. Download it first if you may need it, and save uploaded videos and pictures yourself:
        the download has their addresses alone.
      </Text>
      <Button
        id={buttonId}
        variant="default"
        onClick={() => setIsOpen(true)}
        style={{ alignSelf: 'start' }}
      >
        Delete account
      </Button>
      {isOpen && (
        <DeletionDialog email={email} opener={buttonId} onClose={() => setIsOpen(false)} />
      )}
    </Stack>
  );
}

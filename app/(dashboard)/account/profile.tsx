'use client';
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { shownLater } from '@/src/ui/overlays/shown-later';

const ChangeEmail = shownLater(async () => (await import('./change-email')).ChangeEmail);

const changeEmailButtonId = 'change-email';

export function Profile({ email, plan }: { email: string; plan: 'free' | 'paid' }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Group justify="space-between" gap="sm">
      <div style={{ minWidth: 0 }}>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {email}
        </Text>
        <Text size="sm" c="dimmed">
          {plan === 'free' ? 'Free plan' : 'Paid plan'}
        </Text>
      </div>
      <Button id={changeEmailButtonId} variant="default" onClick={() => setIsOpen(true)}>
        Change e-mail
      </Button>
      {isOpen && <ChangeEmail opener={changeEmailButtonId} onClose={() => setIsOpen(false)} />}
    </Group>
  );
}

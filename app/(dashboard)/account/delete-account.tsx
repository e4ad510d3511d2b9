'use client';
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Dialog, DialogActions } from '@/src/ui/dialog';
import { PasswordField } from '@/src/ui/password-field';
import { ProblemNote } from '@/src/ui/problem-note';
import { deleteAccount } from '@/src/ui/sign-in';
import { useSubmit } from '@/src/ui/use-submit';

const buttonId = 'delete-account';

export function DeleteAccount({ email }: { email: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Stack gap="sm">
      <Text size="sm">
        Everything goes, for good: spaces, testimonials, files, keys and webhooks, and the test
        data. Download it first if you may need it.
      </Text>
      <Button
        id={buttonId}
        variant="default"
        onClick={() => setIsOpen(true)}
        style={{ alignSelf: 'start' }}
      >
        Delete account
      </Button>
      {isOpen && <DeletionDialog email={email} onClose={() => setIsOpen(false)} />}
    </Stack>
  );
}

function DeletionDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const form = useSubmit(
    (fields) =>
      deleteAccount({
        email: String(fields.get('email')),
        password: String(fields.get('password')),
      }),
    // Loaded whole, so that this tab forgets what it knew.
    () => window.location.replace('/sign-in?closed=1'),
  );
  const isBusy = form.isBusy || form.done !== undefined;
  return (
    <Dialog title="Delete this account?" opener={buttonId} isBusy={isBusy} onClose={onClose}>
      <form {...form.attributes}>
        <Stack gap="md">
          <Text size="sm">
            Its keys, webhooks and sessions stop at once. The rest is removed within minutes, and
            cannot be brought back.
          </Text>
          <TextInput
            name="email"
            label="Type the account's e-mail to confirm"
            description={email}
            autoComplete="off"
            required
            withAsterisk={false}
            data-autofocus
          />
          <PasswordField name="password" label="Your password" isNew={false} />
          <ProblemNote problem={form.problem} />
          <DialogActions isBusy={isBusy} onCancel={onClose}>
            <Button type="submit" color="red.9" loading={isBusy}>
              Delete account
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  );
}

'use client';
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { ProblemNote } from '@/src/ui/components/problem-note';
import { PasswordField } from '@/src/ui/forms/password-field';
import { useSubmit } from '@/src/ui/forms/use-submit';
import { Dialog, DialogActions, DialogWords } from '@/src/ui/overlays/dialog';
import { deleteAccount } from '@/src/ui/session/sign-in';

/** Has the person type the address and the password before everything goes. */
export function DeletionDialog(props: { email: string; opener: string; onClose: () => void }) {
  const { email, onClose } = props;
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
    <Dialog title="Delete this account?" opener={props.opener} isBusy={isBusy} onClose={onClose}>
      <form {...form.attributes}>
        <Stack gap="md">
          <DialogWords>
            <Text size="sm">
              Its keys, webhooks and sessions stop at once. The rest is removed within minutes, and
              cannot be brought back.
            </Text>
          </DialogWords>
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

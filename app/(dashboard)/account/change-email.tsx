'use client';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/src/ui/calls/trpc';
import { Note } from '@/src/ui/components/note';
import { ProblemNote } from '@/src/ui/components/problem-note';
import { PasswordField } from '@/src/ui/forms/password-field';
import { useSubmit } from '@/src/ui/forms/use-submit';
import { Dialog, DialogActions, DialogWords } from '@/src/ui/overlays/dialog';
import { changeEmail } from '@/src/ui/session/sign-in';

/** Asks for the new address and the password, and says what happens next. */
export function ChangeEmail({ opener, onClose }: { opener: string; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const mail = useQuery(trpc.account.mail.queryOptions());
  const [email, setEmail] = useState('');
  const showPresent = () => void queryClient.invalidateQueries(trpc.account.get.queryFilter());
  const form = useSubmit(
    (fields) => changeEmail({ newEmail: email, password: String(fields.get('password')) }),
    showPresent,
    showPresent,
  );
  const { isBusy } = form;
  return (
    <Dialog
      title="Change your e-mail"
      opener={opener}
      isBusy={isBusy}
      hasInput={email !== '' && !form.done}
      onClose={onClose}
    >
      {form.done ? (
        <Stack gap="md">
          <Note tone="good" role="status">
            {isChanged(form.done.data)
              ? `You sign in with ${email} from now on.`
              : `A link is on its way to ${email}. The address changes once you open it, within an hour.`}
          </Note>
          <Group justify="flex-end">
            <Button onClick={onClose} data-autofocus>
              Done
            </Button>
          </Group>
        </Stack>
      ) : (
        <form {...form.attributes}>
          <Stack gap="md">
            {mail.data?.is_on && (
              <DialogWords>
                <Text size="sm">
                  We send a link to the new address; it counts once you follow it.
                </Text>
              </DialogWords>
            )}
            <TextInput
              type="email"
              label="New e-mail"
              autoComplete="email"
              maxLength={320}
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
              required
              withAsterisk={false}
              data-autofocus
            />
            <PasswordField name="password" label="Your password" isNew={false} />
            <ProblemNote problem={form.problem} />
            <DialogActions isBusy={isBusy} onCancel={onClose}>
              <Button type="submit" loading={isBusy}>
                Change e-mail
              </Button>
            </DialogActions>
          </Stack>
        </form>
      )}
    </Dialog>
  );
}

/** Without mails the address changes at once. */
function isChanged(data: unknown): boolean {
  return typeof data === 'object' && data !== null && Reflect.get(data, 'isConfirmed') === true;
}

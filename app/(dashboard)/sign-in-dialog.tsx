'use client';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useTRPCClient } from '@/src/ui/calls/trpc';
import { ProblemNote } from '@/src/ui/components/problem-note';
import { PasswordField } from '@/src/ui/forms/password-field';
import { useSubmit } from '@/src/ui/forms/use-submit';
import { Dialog, DialogWords } from '@/src/ui/overlays/dialog';
import { useEmail, useMode, useShownAccount } from '@/src/ui/session/shown-mode';
import { signIn } from '@/src/ui/session/sign-in';
import { signedOut } from '@/src/ui/session/signed-out';
import { useGoingOn } from '@/src/ui/session/use-going-on';

/** For the account with this address and id; whoever signs in to another is shown that one. */
export function SignInDialog({ account, ...rendered }: { email: string; account: string }) {
  const email = useEmail(rendered.email);
  const isShown = useShownAccount() === account;
  const client = useTRPCClient();
  const mode = useMode();
  const goOn = useGoingOn(signedOut);
  const form = useSubmit(
    (fields) =>
      signIn({ email: String(fields.get('email')), password: String(fields.get('password')) }),
    async (_, element) => {
      const signedIn = String(new FormData(element).get('email'));
      if (!isShown || signedIn.trim().toLowerCase() !== email.toLowerCase()) {
        // Another account: nothing of this one may stay in the tab.
        window.location.reload();
        return;
      }
      // A new session begins with what is live. Where that fails, the page is told with its next call.
      if (mode === 'test') await client.testMode.set.mutate({ mode }).catch(() => undefined);
      await goOn();
    },
  );
  return (
    <Dialog title="Sign in again" isSticky size={420} onClose={() => undefined}>
      <form {...form.attributes}>
        <Stack gap="md">
          <DialogWords>
            <Text size="sm">
              Your session is over, or another account was signed in to in this browser. Sign in to
              go on where you are: nothing on this page is lost.
            </Text>
          </DialogWords>
          <ProblemNote problem={form.problem} />
          <TextInput
            name="email"
            type="email"
            label="E-mail"
            defaultValue={email}
            autoComplete="username"
            required
            withAsterisk={false}
          />
          <PasswordField name="password" label="Password" isNew={false} isFocused />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={() => window.location.reload()}>
              Leave this page
            </Button>
            <Button type="submit" loading={form.isBusy || form.done !== undefined}>
              Sign in
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

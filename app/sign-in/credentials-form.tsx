'use client';
import { Button, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Note } from '@/src/ui/note';
import { PasswordField } from '@/src/ui/password-field';
import { signIn, signUp } from '@/src/ui/sign-in';

/** E-mail and password, to sign in or to make an account; then on to `next`. */
export function CredentialsForm(props: { purpose: 'sign-in' | 'sign-up'; next: string }) {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const isNew = props.purpose === 'sign-up';

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const input = { email: String(form.get('email')), password: String(form.get('password')) };
    setIsBusy(true);
    setProblem(undefined);
    const outcome = await (isNew ? signUp(input) : signIn(input));
    if (!outcome.problem) {
      // Loaded whole, so that this tab forgets what it knew of another account. Busy until then.
      window.location.replace(props.next);
      return;
    }
    setProblem(outcome.problem);
    setIsBusy(false);
  }

  return (
    // Without script the browser would put the password into the address.
    <form method="post" onSubmit={(event) => void submit(event)}>
      <Stack gap="md">
        {problem && (
          <Note tone="bad" role="alert">
            {problem}
          </Note>
        )}
        <TextInput
          name="email"
          type="email"
          label="E-mail"
          placeholder="you@example.com"
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus
        />
        <PasswordField
          name="password"
          label="Password"
          isNew={isNew}
          description={isNew ? 'At least 8 characters.' : undefined}
        />
        <Button type="submit" loading={isBusy} fullWidth mt="xs">
          {isNew ? 'Create account' : 'Sign in'}
        </Button>
      </Stack>
    </form>
  );
}

'use client';
import { Button, Stack, TextInput } from '@mantine/core';
import { Note } from '@/src/ui/components/note';
import { ProblemNote } from '@/src/ui/components/problem-note';
import { useSubmit } from '@/src/ui/forms/use-submit';
import { requestPasswordReset } from '@/src/ui/session/sign-in';

/** Asks for the address; whether it has an account is not told. */
export function RequestForm() {
  const form = useSubmit((fields) => requestPasswordReset({ email: String(fields.get('email')) }));
  return (
    <form {...form.attributes}>
      <Stack gap="md">
        <ProblemNote problem={form.problem} />
        {form.done && (
          <Note tone="good" role="status">
            If this address has an account, a link is on its way. It works for an hour, once.
            Nothing there in a few minutes? Look among the spam, then ask again.
          </Note>
        )}
        <TextInput
          name="email"
          type="email"
          label="E-mail"
          placeholder="you@example.com"
          autoComplete="username"
          maxLength={320}
          required
          withAsterisk={false}
          autoFocus
        />
        <Button type="submit" loading={form.isBusy} fullWidth mt="xs">
          Send a link
        </Button>
      </Stack>
    </form>
  );
}

'use client';
import { Button, Stack } from '@mantine/core';
import { StillWorking } from '@/app/still-working';
import { Note } from '@/src/ui/components/note';
import { ProblemNote } from '@/src/ui/components/problem-note';
import { PasswordField } from '@/src/ui/forms/password-field';
import { useSubmit } from '@/src/ui/forms/use-submit';
import { changePassword } from '@/src/ui/session/sign-in';

export function PasswordForm({ email, onChanged }: { email: string; onChanged: () => void }) {
  const form = useSubmit(
    (fields) =>
      changePassword({
        currentPassword: String(fields.get('current')),
        newPassword: String(fields.get('new')),
      }),
    (_, element) => {
      element.reset();
      onChanged();
    },
  );
  return (
    <form {...form.attributes}>
      {/* For what keeps passwords, which otherwise cannot tell whose the new one is. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <Stack gap="sm">
        <PasswordField name="current" label="Current password" isNew={false} />
        <PasswordField
          name="new"
          label="New password"
          description="Other browsers are signed out."
          isNew
        />
        <ProblemNote problem={form.problem} />
        {form.done && (
          <Note tone="good" role="status">
            The password is changed. <StillWorking />
          </Note>
        )}
        <Button
          type="submit"
          variant="default"
          loading={form.isBusy}
          style={{ alignSelf: 'start' }}
        >
          Change password
        </Button>
      </Stack>
    </form>
  );
}

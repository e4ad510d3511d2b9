'use client';
import { Button, Checkbox, Skeleton, Stack } from '@mantine/core';
import { useState } from 'react';
import { checkedLinkId, UncheckedLink } from '@/app/sign-in/unchecked-link';
import { type MailedLink, useMailedLink } from '@/app/sign-in/use-mailed-link';
import { StillWorking } from '@/app/still-working';
import { Note } from '@/src/ui/components/note';
import { ProblemNote } from '@/src/ui/components/problem-note';
import { PasswordField } from '@/src/ui/forms/password-field';
import { useSubmit } from '@/src/ui/forms/use-submit';
import { resetPassword } from '@/src/ui/session/sign-in';

export function ResetForm() {
  const link = useMailedLink('reset-password');
  return <FormOfLink key={link.number} link={link} />;
}

function FormOfLink({ link }: { link: MailedLink }) {
  const token = link.state === 'good' ? link.token : '';
  const [isAllOff, setIsAllOff] = useState(false);
  const form = useSubmit((fields) => {
    const switchOffAll = fields.has('switch-off-all');
    setIsAllOff(switchOffAll);
    return resetPassword({ token, newPassword: String(fields.get('password')), switchOffAll });
  });
  if (form.done) {
    return (
      <Stack gap="md">
        <Note tone="good" role="status">
          The new password is set.{' '}
          {isAllOff ? (
            'All API keys and webhooks are switched off. Switch on those that you know.'
          ) : (
            <StillWorking />
          )}
        </Note>
        <Button component="a" href="/sign-in" fullWidth>
          Sign in
        </Button>
      </Stack>
    );
  }
  if (link.state === 'unchecked') return <UncheckedLink link={link} />;
  if (link.state === 'bad') {
    return (
      <Stack gap="md">
        <ProblemNote problem={link.problem} />
        <Button
          id={checkedLinkId}
          component="a"
          href="/forgot-password"
          variant="default"
          fullWidth
        >
          Ask for a new link
        </Button>
      </Stack>
    );
  }
  const isChecking = link.state === 'checking';
  return (
    <form {...form.attributes} inert={isChecking} aria-busy={isChecking}>
      <Stack gap="md">
        <ProblemNote problem={form.problem} />
        <Skeleton visible={isChecking}>
          <PasswordField id={checkedLinkId} name="password" label="New password" isNew />
        </Skeleton>
        <Skeleton visible={isChecking}>
          <Checkbox
            name="switch-off-all"
            label="Switch off all API keys and webhooks too"
            description="If somebody else may have used the account. Each can be switched on again."
          />
        </Skeleton>
        <Skeleton visible={isChecking} mt="xs">
          <Button type="submit" loading={form.isBusy} fullWidth>
            Set password
          </Button>
        </Skeleton>
      </Stack>
    </form>
  );
}

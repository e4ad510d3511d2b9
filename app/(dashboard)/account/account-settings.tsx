'use client';
import { Button, SegmentedControl, Stack, Text, Title, useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { ErrorNote } from '@/src/ui/error-note';
import { Note } from '@/src/ui/note';
import { PasswordField } from '@/src/ui/password-field';
import { changePassword, type Outcome } from '@/src/ui/sign-in';
import { useTRPC } from '@/src/ui/trpc';
import classes from './account-settings.module.css';

export function AccountSettings() {
  const account = useQuery(useTRPC().account.get.queryOptions());
  return (
    <Stack gap="lg" maw={560}>
      <ErrorNote error={account.error} retry={() => void account.refetch()} />
      <Section title="You">
        <Text size="sm">{account.data?.email ?? ' '}</Text>
        <Text size="sm" c="dimmed">
          {account.data?.plan === 'free' ? 'Free plan' : 'Paid plan'}
        </Text>
      </Section>
      <Section title="Password">
        <PasswordForm />
      </Section>
      <Section title="Appearance">
        <Appearance />
      </Section>
    </Stack>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.section} aria-label={title}>
      <Title order={2} fz={15} mb="sm">
        {title}
      </Title>
      {children}
    </section>
  );
}

function PasswordForm() {
  const [outcome, setOutcome] = useState<Outcome>();
  const [isBusy, setIsBusy] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    setIsBusy(true);
    setOutcome(undefined);
    const answer = await changePassword({
      currentPassword: String(fields.get('current')),
      newPassword: String(fields.get('new')),
    });
    setIsBusy(false);
    setOutcome(answer);
    if (!answer.problem) form.reset();
  }

  return (
    <form method="post" onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        <PasswordField name="current" label="Current password" isNew={false} />
        <PasswordField
          name="new"
          label="New password"
          description="At least 8 characters. Other browsers are signed out."
          isNew
        />
        {outcome?.problem && (
          <Note tone="bad" role="alert">
            {outcome.problem}
          </Note>
        )}
        {outcome && !outcome.problem && (
          <Note tone="good" role="status">
            The password is changed.
          </Note>
        )}
        <Button type="submit" variant="default" loading={isBusy} style={{ alignSelf: 'start' }}>
          Change password
        </Button>
      </Stack>
    </form>
  );
}

function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  // The server does not know what this browser has chosen.
  const [isMounted, setIsMounted] = useState(false);
  useEffect(() => setIsMounted(true), []);
  return (
    <SegmentedControl
      aria-label="Appearance"
      value={isMounted ? colorScheme : 'auto'}
      onChange={(value) => {
        if (value === 'light' || value === 'dark' || value === 'auto') setColorScheme(value);
      }}
      data={[
        { value: 'auto', label: 'System' },
        { value: 'light', label: 'Light' },
        { value: 'dark', label: 'Dark' },
      ]}
    />
  );
}

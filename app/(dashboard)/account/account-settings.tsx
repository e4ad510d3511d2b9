'use client';
import {
  Button,
  Progress,
  SegmentedControl,
  Skeleton,
  Stack,
  Text,
  Title,
  useMantineColorScheme,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { ErrorNote } from '@/src/ui/error-note';
import { Note } from '@/src/ui/note';
import { PasswordField } from '@/src/ui/password-field';
import { changePassword, type Outcome } from '@/src/ui/sign-in';
import { type Outputs, useTRPC } from '@/src/ui/trpc';
import classes from './account-settings.module.css';

export function AccountSettings() {
  const account = useQuery(useTRPC().account.get.queryOptions());
  return (
    <Stack gap="lg" maw={560}>
      {!account.data && <ErrorNote error={account.error} retry={() => void account.refetch()} />}
      <Sections account={account.data} />
    </Stack>
  );
}

/** The page as it will be, and nothing in it can be used yet. */
export function AccountSettingsSkeleton() {
  return (
    <div role="status" aria-label="Loading">
      <Stack gap="lg" maw={560} inert>
        <Sections account={undefined} />
      </Stack>
    </div>
  );
}

function Sections({ account }: { account: Outputs['account']['get'] | undefined }) {
  return (
    <>
      <Section title="You">
        {account ? (
          <>
            <Text size="sm">{account.email}</Text>
            <Text size="sm" c="dimmed">
              {account.plan === 'free' ? 'Free plan' : 'Paid plan'}
            </Text>
          </>
        ) : (
          <>
            <Line width={180} />
            <Line width={70} />
          </>
        )}
      </Section>
      <Section title="Storage">
        {account ? (
          <Storage {...account} />
        ) : (
          <Stack gap={8}>
            <Line width={130} />
            <Skeleton height={5} />
          </Stack>
        )}
      </Section>
      <Section title="Password">
        <PasswordForm />
      </Section>
      <Section title="Appearance">
        <Appearance />
      </Section>
    </>
  );
}

function Storage(account: { stored_bytes: number; quota_bytes: number }) {
  const { stored_bytes: used, quota_bytes: quota } = account;
  const isFull = used >= quota;
  return (
    <Stack gap={8}>
      <Text size="sm">
        {bytes(used)} of {bytes(quota)} used
      </Text>
      <Progress
        value={Math.min(100, (used / quota) * 100)}
        color={isFull ? 'red' : undefined}
        size="sm"
        aria-label="Storage used"
      />
      {isFull && (
        <Note tone="bad">
          Nothing can be added until something is deleted. Events are kept for 30 days.
        </Note>
      )}
    </Stack>
  );
}

function bytes(count: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(count, 1)) / 10));
  const value = count / 1024 ** power;
  return `${value.toLocaleString('en', { maximumFractionDigits: value < 10 && power > 0 ? 1 : 0 })} ${units[power]}`;
}

/** As high as a line of text. */
function Line({ width }: { width: number }) {
  return (
    <Text size="sm" component="div">
      <Skeleton height={12} width={width} display="inline-block" />
    </Text>
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

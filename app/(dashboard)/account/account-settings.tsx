'use client';
import { Skeleton, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type Outputs, useTRPC } from '@/src/ui/calls/trpc';
import { ErrorNote } from '@/src/ui/components/error-note';
import { History } from '../history/history';
import { HistorySkeleton } from '../history/history-skeleton';
import { Appearance } from './appearance';
import { DeleteAccount } from './delete-account';
import { Export } from './export';
import { Mail, MailSkeleton } from './mail';
import { PasswordForm } from './password-form';
import { Profile } from './profile';
import { Line, Section } from './section';
import { Sessions, SessionsSkeleton } from './sessions';
import { Storage } from './storage';

export function AccountSettings() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const account = useQuery(trpc.account.get.queryOptions());
  const noteSignedOut = () =>
    void queryClient.invalidateQueries(trpc.account.sessions.list.queryFilter());
  return (
    <Stack gap="lg" maw={560}>
      {!account.data && <ErrorNote error={account.error} retry={() => void account.refetch()} />}
      <Sections account={account.data} onPasswordChanged={noteSignedOut} />
    </Stack>
  );
}

/** The page as it will be, and nothing in it can be used yet. */
export function AccountSettingsSkeleton() {
  return (
    <div role="status" aria-label="Loading">
      <Stack gap="lg" maw={560} inert>
        <Sections account={undefined} onPasswordChanged={() => {}} />
      </Stack>
    </div>
  );
}

function Sections({
  account,
  onPasswordChanged,
}: {
  account: Outputs['account']['get'] | undefined;
  onPasswordChanged: () => void;
}) {
  return (
    <>
      <Section title="You">
        {account ? (
          <Profile {...account} />
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
        <PasswordForm email={account?.email ?? ''} onChanged={onPasswordChanged} />
      </Section>
      <Section title="Signed in">{account ? <Sessions /> : <SessionsSkeleton />}</Section>
      <Section title="Mails">{account ? <Mail email={account.email} /> : <MailSkeleton />}</Section>
      <Section title="Appearance">
        <Appearance />
      </Section>
      <Section title="Changes to keys and webhooks">
        {account ? <History /> : <HistorySkeleton />}
      </Section>
      <Section title="Export">
        <Export />
      </Section>
      <Section title="Delete account">
        <DeleteAccount email={account?.email ?? ''} />
      </Section>
    </>
  );
}

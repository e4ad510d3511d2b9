import { Stack } from '@mantine/core';
import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { currentPrincipal } from '@/app/(dashboard)/data';
import { TextLink } from '@/app/text-link';
import { isSignUpOpen } from '@/src/accounts/auth/auth';
import { mailSettings } from '@/src/mail/settings';
import type { Query } from '@/src/ui/browser/use-view';
import { Note } from '@/src/ui/components/note';
import { CredentialsForm } from './credentials-form';
import { ForgottenPassword } from './forgotten';
import { Frame } from './frame';
import { nextPath } from './next-path';

export const metadata: Metadata = { title: 'Sign in' };

export default async function SignInPage(props: { searchParams: Promise<Query> }) {
  const { next: wanted, closed } = await props.searchParams;
  const next = nextPath(wanted);
  if (await currentPrincipal()) redirect(next);
  const below = (await isSignUpOpen()) ? (
    <>
      New here? <TextLink href="/sign-up">Create an account</TextLink>
    </>
  ) : (
    'Sign-up is closed. Ask whoever runs the service for an account.'
  );
  return (
    <Frame title="Sign in" text="to your testimonials dashboard" below={below}>
      <Stack gap="md">
        {closed && (
          <Note tone="good">The account is closed. What it had is removed within minutes.</Note>
        )}
        <CredentialsForm purpose="sign-in" next={next} />
        <ForgottenPassword isMailed={mailSettings() !== undefined} />
      </Stack>
    </Frame>
  );
}

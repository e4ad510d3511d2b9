import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { currentPrincipal } from '@/app/(dashboard)/data';
import { TextLink } from '@/app/text-link';
import { isSignUpOpen } from '@/src/accounts/auth';
import { CredentialsForm } from './credentials-form';
import { Frame } from './frame';
import { nextPath } from './next-path';

export const metadata: Metadata = { title: 'Sign in' };

export default async function SignInPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const next = nextPath((await searchParams).next);
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
      <CredentialsForm purpose="sign-in" next={next} />
    </Frame>
  );
}

import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { currentPrincipal } from '@/app/(dashboard)/data';
import { CredentialsForm } from '@/app/sign-in/credentials-form';
import { Frame } from '@/app/sign-in/frame';
import { TextLink } from '@/app/text-link';
import { isSignUpOpen } from '@/src/accounts/auth/auth';

export const metadata: Metadata = { title: 'Create an account' };

export default async function SignUpPage() {
  if (await currentPrincipal()) redirect('/api-keys');
  if (!(await isSignUpOpen())) redirect('/sign-in');
  return (
    <Frame
      title="Create an account"
      text="and send your first request within a minute"
      below={
        <>
          Have an account? <TextLink href="/sign-in">Sign in</TextLink>
        </>
      }
    >
      <CredentialsForm purpose="sign-up" next="/api-keys" />
    </Frame>
  );
}

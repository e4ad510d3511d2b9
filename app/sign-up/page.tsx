import { Anchor } from '@mantine/core';
import type { Metadata } from 'next';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import { currentPrincipal } from '@/app/(dashboard)/data';
import { CredentialsForm } from '@/app/sign-in/credentials-form';
import { Frame } from '@/app/sign-in/frame';
import { isSignUpOpen } from '@/src/accounts/auth';

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
          Have an account?{' '}
          <Anchor component={Link} href="/sign-in" size="sm" underline="always">
            Sign in
          </Anchor>
        </>
      }
    >
      <CredentialsForm purpose="sign-up" next="/api-keys" />
    </Frame>
  );
}

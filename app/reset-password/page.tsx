import type { Metadata } from 'next';
import { Frame } from '@/app/sign-in/frame';
import { TextLink } from '@/app/text-link';
import { ResetForm } from './reset-form';

export const metadata: Metadata = { title: 'Set a new password' };

export default function ResetPasswordPage() {
  return (
    <Frame
      title="Set a new password"
      text="You are signed out everywhere else"
      below={<TextLink href="/sign-in">Back to sign in</TextLink>}
    >
      <ResetForm />
    </Frame>
  );
}

import type { Metadata } from 'next';
import { AskForOne } from '@/app/sign-in/forgotten';
import { Frame } from '@/app/sign-in/frame';
import { TextLink } from '@/app/text-link';
import { mailSettings } from '@/src/mail/settings';
import { RequestForm } from './request-form';

export const metadata: Metadata = { title: 'Forgotten password' };
// Whether mails are sent is known when the service runs, and not when it is built.
export const dynamic = 'force-dynamic';

export default function ForgotPasswordPage() {
  const isMailed = mailSettings() !== undefined;
  return (
    <Frame
      title="Forgotten password"
      text={isMailed ? 'Set a new one by a link in a mail' : 'This service sends no mails'}
      below={<TextLink href="/sign-in">Back to sign in</TextLink>}
    >
      {isMailed ? <RequestForm /> : <AskForOne />}
    </Frame>
  );
}

import type { Metadata } from 'next';
import { Frame } from '@/app/sign-in/frame';
import { TextLink } from '@/app/text-link';
import { ConfirmForm } from './confirm-form';

export const metadata: Metadata = { title: 'Confirm your e-mail' };

export default function ConfirmEmailPage() {
  return (
    <Frame
      title="Confirm your e-mail"
      text="You sign in with this address from then on"
      below={<TextLink href="/">To the dashboard</TextLink>}
    >
      <ConfirmForm />
    </Frame>
  );
}

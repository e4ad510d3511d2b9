'use client';
import { shownLater } from '@/src/ui/shown-later';
import { signedOut } from '@/src/ui/signed-out';

const SignInDialog = shownLater(async () => (await import('./sign-in-dialog')).SignInDialog);

/** Over the page whose session is over, which stays as it is and goes on afterwards. */
export function SignInAgain(props: { email: string; account: string }) {
  return signedOut.use() ? <SignInDialog {...props} /> : null;
}

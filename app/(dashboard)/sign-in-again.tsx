'use client';
import { shownLater } from '@/src/ui/overlays/shown-later';
import { signedOut } from '@/src/ui/session/signed-out';

const SignInDialog = shownLater(async () => (await import('./sign-in-dialog')).SignInDialog);

/** Over the page whose session is over, which stays as it is and goes on afterwards. */
export function SignInAgain(props: { email: string; account: string }) {
  return signedOut.use() ? <SignInDialog {...props} /> : null;
}

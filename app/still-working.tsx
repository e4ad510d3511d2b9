import { TextLink } from './text-link';

/** What a new password does not end, for whoever sets one because somebody else may know the old one. */
export function StillWorking() {
  return (
    <>
      <TextLink href="/api-keys">API keys</TextLink> and{' '}
      <TextLink href="/webhooks">webhooks</TextLink> go on working: look through them if somebody
      else may have known the password.
    </>
  );
}

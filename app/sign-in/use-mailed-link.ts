'use client';
import { useEffect, useState } from 'react';
import type { LinkPurpose } from '@/src/accounts/schema';
import { checkLink } from '@/src/ui/sign-in';

type MailedLink =
  | { state: 'checking' }
  | { state: 'good'; token: string }
  | { state: 'bad'; problem: string };

/**
 * What the link that opened this page carries, and whether it is still good for something. It stands
 * behind the `#`, which browsers keep to themselves: no log and no other page gets to see it.
 */
export function useMailedLink(purpose: LinkPurpose): MailedLink {
  const [link, setLink] = useState<MailedLink>({ state: 'checking' });
  useEffect(() => {
    let isCurrent = true;
    const read = async () => {
      const token = window.location.hash.slice(1);
      setLink({ state: 'checking' });
      const { problem } = token
        ? await checkLink({ token, purpose })
        : { problem: 'This link is incomplete. Copy all of it from the mail.' };
      if (isCurrent && token === window.location.hash.slice(1))
        setLink(problem ? { state: 'bad', problem } : { state: 'good', token });
    };
    void read();
    // Another link, opened in the same tab, loads nothing anew.
    window.addEventListener('hashchange', read);
    return () => {
      isCurrent = false;
      window.removeEventListener('hashchange', read);
    };
  }, [purpose]);
  return link;
}

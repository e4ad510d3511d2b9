'use client';
import { useEffect, useState } from 'react';
import type { LinkPurpose } from '@/src/accounts/schema';
import type { Outcome } from '@/src/ui/session/call-sign-in';
import { checkLink } from '@/src/ui/session/sign-in';

export type MailedLink = State & {
  /** Which one of those that were opened in this tab: what was done with the one before is not told of it. */
  number: number;
};

type State =
  | { state: 'checking' }
  | { state: 'good'; token: string }
  | { state: 'bad'; problem: string }
  /** Nobody could say whether it is good. */
  | { state: 'unchecked'; problem: string; isBusy: boolean; retry: () => void };

/**
 * What the link that opened this page carries, and whether it is still good for something. It stands
 * behind the `#`, which browsers keep to themselves: no log and no other page gets to see it.
 */
export function useMailedLink(purpose: LinkPurpose): MailedLink {
  const [link, setLink] = useState<State>({ state: 'checking' });
  const [number, setNumber] = useState(1);
  useEffect(() => {
    let isCurrent = true;
    const check = async () => {
      const token = window.location.hash.slice(1);
      const outcome: Outcome = token
        ? await checkLink({ token, purpose })
        : { problem: 'This link is incomplete. Copy all of it from the mail.' };
      if (isCurrent && token === window.location.hash.slice(1)) setLink(found(token, outcome));
    };
    const found = (token: string, { problem, mayPass }: Outcome): State => {
      if (!problem) return { state: 'good', token };
      if (!mayPass) return { state: 'bad', problem };
      const retry = () => {
        setLink({ state: 'unchecked', problem, isBusy: true, retry });
        void check();
      };
      return { state: 'unchecked', problem, isBusy: false, retry };
    };
    const read = () => {
      setNumber((before) => before + 1);
      setLink({ state: 'checking' });
      void check();
    };
    void check();
    // Another link, opened in the same tab, loads nothing anew.
    window.addEventListener('hashchange', read);
    return () => {
      isCurrent = false;
      window.removeEventListener('hashchange', read);
    };
  }, [purpose]);
  return { ...link, number };
}

'use client';
import type { Mode } from '@/src/mode';
import { useTRPCClient } from '@/src/ui/calls/trpc';
import { useSingleMutation } from '@/src/ui/calls/use-single-mutation';
import { finishBeforeSignOut } from '@/src/ui/session/before-sign-out';
import { noteSwitched } from './said-switch';

/**
 * Has the session show the other data, and then loads the page anew, so that nothing of this mode stays
 * in the tab. Without an address it is the first page of the section: what it shows here is not there.
 */
export function useSwitch(to: Mode) {
  const client = useTRPCClient();
  return useSingleMutation({
    mutationFn: async (address?: string) => {
      // What is decided here is of this mode.
      await finishBeforeSignOut();
      await client.testMode.set.mutate({ mode: to });
      const section = window.location.pathname.split('/')[1] ?? '';
      noteSwitched();
      window.location.assign(address ?? `/${section}`);
    },
  });
}

'use client';
import { type DehydratedState, HydrationBoundary, useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import type { Mode } from '@/src/mode';
import { doEarlyInput } from '../browser/early-input';
import { createFlag } from '../browser/flag';
import { useTRPC } from '../calls/trpc';
import { noteShownAccount } from './shown-account';
import { signedOut } from './signed-out';

/** Whether this tab was told that its session is in the other mode by now. */
export const modeChanged = createFlag();

/** Whether anything was rendered in another mode, or for another account, than this tab shows. */
let hasOther = false;

/**
 * Whether that is to be rendered anew, now that the session is as it was. Nothing else is: where the answer
 * is lost, or of another version of the service, the router loads all anew, and what was typed is gone.
 */
export function takeOther(): boolean {
  const before = hasOther;
  hasOther = false;
  return before;
}

/** Of what a page shows: its mode, and the person's own account, in either mode. */
export type Shown = { mode: Mode; account: string };

const ShownHere = createContext<Shown>({ mode: 'live', account: '' });

/** What this tab shows for as long as it is loaded. */
export const useMode = () => useContext(ShownHere).mode;

/**
 * The mode and the account that a tab was loaded in. What is rendered in others later is noted, and not
 * shown.
 */
export function ShownProvider({ children, ...read }: Shown & { children: ReactNode }) {
  const [shown] = useState(() => {
    noteShownAccount(read.account, read.mode);
    return read;
  });
  useNoteOther(read, shown);
  return <ShownHere value={shown}>{children}</ShownHere>;
}

/** Whose own account this tab shows. */
export const useShownAccount = () => useContext(ShownHere).account;

/**
 * That account's address, as a page has read it last: it may be changed after the server has rendered it.
 * To ask the router for the page anew would load all of it where the answer is lost or of another version of
 * the service. Looks at the cache alone: a query of its own, there before a page's, would keep that from
 * what the server has read for it.
 */
export function useEmail(rendered: string): string {
  const queryClient = useQueryClient();
  const key = useTRPC().account.get.queryKey();
  return useSyncExternalStore(
    (listener) => queryClient.getQueryCache().subscribe(listener),
    () => queryClient.getQueryData(key)?.email ?? rendered,
    () => rendered,
  );
}

/**
 * What the server has read for a page, in the mode and of the account in which it did. Another tab may
 * have changed those of the session since this one was loaded: then none of it gets into this one's cache,
 * and it is rendered anew once the session is as it was.
 */
export function PageData(props: { shown: Shown; state: DehydratedState; children: ReactNode }) {
  const shown = useContext(ShownHere);
  useNoteOther(props.shown, shown);
  useEffect(doEarlyInput, []);
  if (props.shown.mode !== shown.mode || props.shown.account !== shown.account) return null;
  return <HydrationBoundary state={props.state}>{props.children}</HydrationBoundary>;
}

/** Who is signed in by now is nobody that this tab knows: it asks for the account that it shows. */
function useNoteOther({ mode, account }: Shown, shown: Shown): void {
  useEffect(() => {
    hasOther ||= account !== shown.account || mode !== shown.mode;
    if (account !== shown.account) signedOut.note(true);
    else if (mode !== shown.mode) modeChanged.note(true);
  }, [mode, account, shown]);
}

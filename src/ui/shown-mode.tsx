'use client';
import { type DehydratedState, HydrationBoundary } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import type { Mode } from '@/src/mode';
import { createFlag } from './flag';

/** Whether this tab was told that its session is in the other mode by now. */
export const modeChanged = createFlag();

const ShownMode = createContext<Mode>('live');

/** What this tab shows for as long as it is loaded. */
export const useMode = () => useContext(ShownMode);

/** The mode that a tab was loaded in. What is rendered in the other one later is noted, and not shown. */
export function ModeProvider(props: { mode: Mode; children: (shown: Mode) => ReactNode }) {
  const [shown] = useState(props.mode);
  useNoteOther(props.mode, shown);
  return <ShownMode value={shown}>{props.children(shown)}</ShownMode>;
}

/**
 * What the server has read for a page, in the mode in which it did. Another tab may have changed that
 * of the session since this one was loaded: then none of it gets into this one's cache.
 */
export function PageData(props: { mode: Mode; state: DehydratedState; children: ReactNode }) {
  const shown = useMode();
  useNoteOther(props.mode, shown);
  if (props.mode !== shown) return null;
  return <HydrationBoundary state={props.state}>{props.children}</HydrationBoundary>;
}

function useNoteOther(mode: Mode, shown: Mode): void {
  useEffect(() => {
    if (mode !== shown) modeChanged.note(true);
  }, [mode, shown]);
}

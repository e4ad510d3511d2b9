'use client';
import { useLayoutEffect, useRef } from 'react';
import { focusOnceDrawn } from './use-focus-return';

/**
 * To be called as something begins: what has the focus then, and loses it as a button does that is
 * disabled while it is busy, has it again once that is over, unless something else has taken it.
 */
export function useKeptFocus(isBusy: boolean): () => void {
  // Set while it is under way.
  const focus = useRef<Element | null>(undefined);
  useLayoutEffect(() => {
    if (isBusy || focus.current === undefined) return;
    focusOnceDrawn([focus.current]);
    focus.current = undefined;
  }, [isBusy]);
  return () => {
    focus.current = document.activeElement;
  };
}

'use client';
import { useEffect, useRef } from 'react';

/** What keeps the page where somebody goes back, while there is something to lose. */
let stay: (() => void) | undefined;

/**
 * To be called while the page's script loads, before the router listens too: what goes back is then
 * heard here first, and can be kept from the router.
 */
export function listenBeforeRouter(): void {
  if (typeof window === 'undefined') return;
  window.addEventListener('popstate', (event) => {
    if (!stay) return;
    event.stopImmediatePropagation();
    stay();
  });
}

/**
 * While there is something that would be lost with the page: reloading and closing the tab ask first,
 * and going back stays here and calls `onBack`.
 */
export function useStay(isNeeded: boolean, onBack: () => void): void {
  const latest = useRef(onBack);
  useEffect(() => {
    latest.current = onBack;
  });
  useEffect(() => {
    if (!isNeeded) return;
    const { href } = window.location;
    const { state } = window.history;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    stay = () => {
      window.history.pushState(state, '', href);
      latest.current();
    };
    window.addEventListener('beforeunload', ask);
    return () => {
      window.removeEventListener('beforeunload', ask);
      stay = undefined;
    };
  }, [isNeeded]);
}

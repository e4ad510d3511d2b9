'use client';
import { onlineManager } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { createFlag } from '@/src/ui/browser/flag';
import classes from './shell.module.css';

/** Whether something was to be opened since there is no network. */
const isRefused = createFlag();

/** What takes the place of the page, or may. */
const leadingAway = 'a[href]:not([href^="#"], [target], [download]), [data-leads-away]';

/**
 * To be asked before another page is opened: without a network the browser's own would take the place
 * of this one and of what was done in it. The notice says so instead.
 */
export function canOpenPages(): boolean {
  const isOnline = onlineManager.isOnline();
  if (!isOnline) isRefused.note(true);
  return isOnline;
}

/**
 * Without a network what a page asks for waits, and its skeletons with it, until there is one again:
 * that is said here. Links, and what asks for a page anew, do nothing meanwhile.
 */
export function OfflineNotice() {
  const isOnline = useSyncExternalStore(subscribe, isOnlineNow, () => true);
  const hasRefused = isRefused.use();
  const [wasOffline, setWasOffline] = useState(false);
  /** Of one element each, or the same words are not read out again. */
  const [refusals, setRefusals] = useState(0);
  useEffect(() => {
    if (isOnline) return;
    setWasOffline(true);
    const keep = (event: MouseEvent) => {
      const link = event.target instanceof Element && event.target.closest(leadingAway);
      if (!link || canOpenPages()) return;
      event.preventDefault();
      event.stopPropagation();
      setRefusals((count) => count + 1);
    };
    // Before the link or button itself, which then does nothing.
    document.addEventListener('click', keep, true);
    return () => {
      document.removeEventListener('click', keep, true);
      isRefused.note(false);
    };
  }, [isOnline]);
  return (
    <div aria-live="polite">
      {!isOnline && (
        <p key={refusals} className={classes.offline}>
          You are offline.{' '}
          {hasRefused ? 'That cannot be opened now.' : 'Changes cannot be saved now.'}
        </p>
      )}
      {/* Who sees it sees the notice go. */}
      {isOnline && wasOffline && <span className="visually-hidden">You are online again.</span>}
    </div>
  );
}

const subscribe = (listener: () => void) => onlineManager.subscribe(listener);
const isOnlineNow = () => onlineManager.isOnline();

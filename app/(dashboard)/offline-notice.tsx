'use client';
import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import classes from './shell.module.css';

/**
 * Without a network what a page asks for waits, and its skeletons with it, until there is one again:
 * that is said here, and nothing has to be done.
 */
export function OfflineNotice() {
  const isOnline = useSyncExternalStore(subscribe, isOnlineNow, () => true);
  return (
    <div role="status">
      {!isOnline && (
        <p className={classes.offline}>No connection. What is missing comes by itself.</p>
      )}
    </div>
  );
}

const subscribe = (listener: () => void) => onlineManager.subscribe(listener);
const isOnlineNow = () => onlineManager.isOnline();

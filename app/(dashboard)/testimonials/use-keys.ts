'use client';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { keep, readKept } from '@/src/ui/browser/web-storage';

/** The button that shows them. */
export const keysButtonId = 'show-keys';

const storageName = 'inbox-keys';
const changed = 'inbox-keys-changed';

/** Whether keys do something here. WCAG 2.2, 2.1.4: single keys can be switched off. */
export function useKeysSetting(): [boolean, (isOn: boolean) => void] {
  const isOn = useSyncExternalStore(
    (listener) => {
      window.addEventListener(changed, listener);
      return () => window.removeEventListener(changed, listener);
    },
    () => readKept('browser', storageName) !== 'off',
    () => true,
  );
  return [
    isOn,
    (on) => {
      keep('browser', storageName, on ? 'on' : 'off');
      window.dispatchEvent(new Event(changed));
    },
  ];
}

/** Where keys are somebody else's. */
export const ownKeys = 'input:not([type=checkbox]), textarea, select, [role=dialog]';

/** What goes on while its key is held. */
const repeating = new Set(['j', 'k']);

/**
 * Calls what belongs to a key, by `KeyboardEvent.key` in lower case; not while one writes, a dialog
 * is open, or a button has the focus and the key is its own. One that is held moves on and on, and
 * does whatever else once: it would decide row after row.
 */
export function useKeys(isOn: boolean, keys: Record<string, () => void>): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    if (!isOn) return;
    const listener = (event: KeyboardEvent) => press(event, latest.current);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, [isOn]);
}

function press(event: KeyboardEvent, keys: Record<string, () => void>): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const target = event.target instanceof HTMLElement ? event.target : undefined;
  if (target?.closest(ownKeys)) return;
  if (event.key === 'Enter' && target?.closest('button, a, input, summary')) return;
  if (document.querySelector('[role=dialog], [role=menu]')) return;
  const key = event.key.toLowerCase();
  const act = keys[key];
  if (!act) return;
  event.preventDefault();
  if (!event.repeat || repeating.has(key)) act();
}

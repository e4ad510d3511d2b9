import { useSyncExternalStore } from 'react';

/** Something that is true or not for this whole tab, and that components can follow. Not, at first. */
export function createFlag(): { note: (value: boolean) => void; use: () => boolean } {
  let current = false;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    note(value) {
      current = value;
      for (const listener of listeners) listener();
    },
    use: () =>
      useSyncExternalStore(
        subscribe,
        () => current,
        () => false,
      ),
  };
}

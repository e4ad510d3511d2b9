import { useSyncExternalStore } from 'react';

/** Something that is true or not for this whole tab, and that components can follow. Not, at first. */
export function createFlag() {
  let current = false;
  let timesOver = 0;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  function note(value: boolean): void {
    const isOver = current && !value;
    current = value;
    if (isOver) timesOver += 1;
    for (const listener of listeners) listener();
  }
  return {
    note,
    /**
     * To be called when something is asked for. What it returns notes what the answer says, unless
     * that is over by then: of what was asked for before, nothing is to be said any more.
     */
    whenAnswered(): () => void {
      const before = timesOver;
      return () => {
        if (timesOver === before) note(true);
      };
    },
    /** Calls back each time when it was so and is not any more. */
    onOver(listener: () => void): void {
      let seen = timesOver;
      subscribe(() => {
        if (timesOver === seen) return;
        seen = timesOver;
        listener();
      });
    },
    use: () =>
      useSyncExternalStore(
        subscribe,
        () => current,
        () => false,
      ),
  };
}

'use client';
import { usePathname, useSearchParams } from 'next/navigation';
import { useEffect, useMemo, useSyncExternalStore } from 'react';

/** Of an address, as the framework gives it to a page. */
export type Query = Record<string, string | string[] | undefined>;

/** How what a page shows stands in its address. To be a constant: a new one is a new view. */
export type ViewForm<View> = {
  parse: (query: Query) => View;
  /** `?` included; empty where nothing is chosen. */
  format: (view: View) => string;
  /**
   * What Back takes away again, as a sheet that was opened. Everything else is no step: going back
   * leaves the page and does not walk through every filter tried.
   */
  isStep?: (from: View, to: View) => boolean;
};

/** What changes, or what follows from the view that the address names by then. */
export type Changes<View> = Partial<View> | ((current: View) => Partial<View>);

/**
 * What was written into the address, until the page has followed: a field is to show at once what was
 * chosen in it.
 */
let written: { path: string; query: string } | undefined;

/** What is changed while the browser goes back, which takes a moment: done once it has. */
let waiting: (() => void)[] | undefined;

const listeners = new Set<() => void>();

function setWritten(next: typeof written): void {
  written = next;
  for (const listener of listeners) listener();
}

/** The address changed by Back or Forward: the page shows it before the router does. */
function follow(): void {
  const due = waiting ?? [];
  waiting = undefined;
  window.history.scrollRestoration = 'auto';
  const { pathname, search } = window.location;
  if (pathname === written?.path) setWritten({ path: pathname, query: search.slice(1) });
  for (const change of due) change();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    window.addEventListener('popstate', follow);
    // Come to from another page, where nobody followed.
    window.history.scrollRestoration = 'auto';
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.removeEventListener('popstate', follow);
    written = undefined;
    waiting = undefined;
  };
}

/** Of a step: the address that it was made from, in the entry of the history that it made. */
export function steppedFrom(): string | undefined {
  const state: unknown = window.history.state;
  if (typeof state !== 'object' || state === null || !('steppedFrom' in state)) return undefined;
  return typeof state.steppedFrom === 'string' ? state.steppedFrom : undefined;
}

function viewOf<View>(form: ViewForm<View>, query: string): View {
  return form.parse(Object.fromEntries(new URLSearchParams(query)));
}

/** Changes the view that the address names, where it still is that of the page at `path`. */
function changeAddress<View extends object>(
  form: ViewForm<View>,
  path: string,
  changes: Changes<View>,
): void {
  const { pathname, search } = window.location;
  if (pathname !== path) return;
  if (waiting) return void waiting.push(() => changeAddress(form, path, changes));
  const current = viewOf(form, search);
  const made = typeof changes === 'function' ? changes(current) : changes;
  const next = { ...current, ...made };
  const [before, after] = [form.format(current), form.format(next)];
  if (before === after) return;
  if (form.isStep?.(next, current) && steppedFrom() === path + after) {
    waiting = [];
    window.history.back();
  } else if (form.isStep?.(current, next)) {
    // Where it goes back to, the page stays as it stands by then: at the row that has the focus,
    // which the browser would scroll out of sight again.
    window.history.scrollRestoration = 'manual';
    window.history.pushState({ steppedFrom: path + before }, '', path + after);
    window.history.scrollRestoration = 'auto';
  } else {
    window.history.replaceState({ steppedFrom: steppedFrom() }, '', path + after);
  }
  setWritten({ path, query: after.slice(1) });
}

/**
 * The view that the address names, and how to change it without asking the server for the page. A
 * change is one of what the address says by then, and is shown before the router follows; what is
 * changed after the page was left is nobody's. To take a step away is to go back, so that no Back
 * leads to where one is.
 */
export function useView<View extends object>(
  form: ViewForm<View>,
): {
  view: View;
  change: (changes: Changes<View>) => void;
} {
  const path = usePathname();
  const routed = useSearchParams().toString();
  const ahead = useSyncExternalStore(
    subscribe,
    () => written,
    () => undefined,
  );
  // Over once the router has followed, or another link was.
  useEffect(() => {
    if (waiting) return;
    const isAddress =
      written?.path === window.location.pathname &&
      written.query === window.location.search.slice(1);
    if (written && (!isAddress || written.query === routed)) setWritten(undefined);
  }, [routed]);
  const query = ahead?.path === path ? ahead.query : routed;
  return useMemo(() => {
    const change = (changes: Changes<View>) => changeAddress(form, path, changes);
    return { view: viewOf(form, query), change };
  }, [form, path, query]);
}

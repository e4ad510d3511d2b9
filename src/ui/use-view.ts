'use client';
import { usePathname, useSearchParams } from 'next/navigation';
import { useMemo } from 'react';

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
 * The view that the address names, and how to change it without asking the server for the page. A
 * change is one of what the address says by then: the page may not show the last one yet, and what is
 * changed after the page was left is nobody's.
 */
export function useView<View extends object>(
  form: ViewForm<View>,
): {
  view: View;
  change: (changes: Changes<View>) => void;
} {
  const path = usePathname();
  const query = useSearchParams();
  return useMemo(() => {
    const view = form.parse(Object.fromEntries(query));
    return {
      view,
      change(changes) {
        const { pathname, search } = window.location;
        if (pathname !== path) return;
        const current = form.parse(Object.fromEntries(new URLSearchParams(search)));
        const made = typeof changes === 'function' ? changes(current) : changes;
        const next = { ...current, ...made };
        const address = path + form.format(next);
        if (form.isStep?.(current, next)) window.history.pushState(null, '', address);
        else window.history.replaceState(null, '', address);
      },
    };
  }, [form, path, query]);
}

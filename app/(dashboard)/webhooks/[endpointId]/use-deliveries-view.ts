'use client';
import { usePathname, useSearchParams } from 'next/navigation';
import { type DeliveriesView, formatView, parseView } from './deliveries-view';

/** The view that the address names, and how to change it without asking the server for the page. */
export function useDeliveriesView(): {
  view: DeliveriesView;
  change: (changes: Partial<DeliveriesView>) => void;
} {
  const path = usePathname();
  const view = parseView(Object.fromEntries(useSearchParams()));
  return {
    view,
    change(changes) {
      const address = path + formatView({ ...view, ...changes });
      // Going back closes the sheet; it does not walk through every filter tried.
      if (changes.delivery) window.history.pushState(null, '', address);
      else window.history.replaceState(null, '', address);
    },
  };
}

import { useEffect, useRef, useState } from 'react';

/**
 * Once the component is gone, the focus that went with it goes to the element with the id `opener`, or
 * to what had it before, or to the page where neither is there. What has taken it by then, as by a
 * key, keeps it.
 */
export function useFocusReturn(opener: string | undefined): void {
  const latest = useRef(opener);
  latest.current = opener;
  // By the time of an effect, what is inside has taken it.
  const [before] = useState(() =>
    typeof document === 'undefined' ? null : document.activeElement,
  );
  useEffect(() => () => focusOnceDrawn([latest.current, before]), [before]);
}

/**
 * Where the focus is lost, gives it to the first of these, elements or their ids, that can have it, or
 * to the page. A dialog that is open, as under a sign-in, is not left for what is behind it. On the page
 * or the dialog itself the focus is lost as well: there the second click of two leaves it, on a button
 * that is disabled by then.
 */
export function focusOnceDrawn(
  wanted: (Element | string | null | undefined)[],
  options?: FocusOptions,
): void {
  // What they stand in may be drawn anew as well.
  requestAnimationFrame(() => {
    const open = [...document.querySelectorAll('[role="dialog"]')].at(-1);
    const last = open ?? document.getElementById('content');
    for (const one of [...wanted, last]) {
      if (![document.body, last].includes(document.activeElement)) return;
      const target = typeof one === 'string' ? document.getElementById(one) : one;
      const isInFront = !open || open.contains(target ?? null);
      if (isInFront && target instanceof HTMLElement) target.focus(options);
    }
  });
}

import { useEffect, useRef } from 'react';

/**
 * Once the component is gone, the focus that went with it goes to the element with the id `opener`, or
 * to the page where that is gone too. What has taken it by then, as by a key, keeps it.
 */
export function useFocusReturn(opener: string | undefined): void {
  const latest = useRef(opener);
  latest.current = opener;
  useEffect(
    () => () => {
      // What the opener stands in may be drawn anew as well.
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return;
        const target = document.getElementById(latest.current ?? '');
        (target ?? document.getElementById('content'))?.focus();
      });
    },
    [],
  );
}

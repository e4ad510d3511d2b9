'use client';
import { useLayoutEffect, useRef } from 'react';
import { focusOnceDrawn } from './use-focus-return';

/**
 * Stands in what goes away while the focus may be in it, as a button that is there for one click. The
 * focus then goes to the element with the id, or to the page where that is not drawn; what has taken
 * it by then keeps it, and nothing is scrolled.
 */
export function FocusHeir({ id }: { id: string | undefined }) {
  const place = useRef<HTMLSpanElement>(null);
  const latest = useRef(id);
  latest.current = id;
  useLayoutEffect(() => {
    const parent = place.current?.parentElement;
    return () => {
      if (!parent?.contains(document.activeElement)) return;
      focusOnceDrawn([latest.current], { preventScroll: true });
    };
  }, []);
  return <span ref={place} hidden />;
}

'use client';
import { type ReactNode, useEffect, useRef } from 'react';

/** Is scrolled to once it appears: what led to it may be far above it, as in a dialog on a telephone. */
export function InSight({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // After a button that was busy has the focus again, which is scrolled to as well.
    const frame = requestAnimationFrame(() => place.current?.scrollIntoView({ block: 'nearest' }));
    return () => cancelAnimationFrame(frame);
  }, []);
  return <div ref={place}>{children}</div>;
}

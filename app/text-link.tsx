import Link from 'next/link';
import type { ReactNode } from 'react';
import classes from './text-link.module.css';

/** A link within text, to a page of ours. Of plain elements, as `EmptyState` is. */
export function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className={classes.link}>
      {children}
    </Link>
  );
}

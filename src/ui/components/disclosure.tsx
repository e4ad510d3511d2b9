import type { ReactNode } from 'react';
import classes from './disclosure.module.css';

/** What few people look for, behind its title. */
export function Disclosure({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className={classes.root}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

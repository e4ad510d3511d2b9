import type { ReactNode } from 'react';
import classes from './empty-state.module.css';

/**
 * What stands where there is nothing yet: what it is for, and how to begin. Its title may be the page's.
 * Of plain elements: the page that stands for one that failed is made of it, and its script comes with
 * every page, beside the page's own.
 */
export function EmptyState(props: {
  icon: ReactNode;
  title: string;
  isPage?: boolean;
  children: ReactNode;
  action?: ReactNode;
}) {
  const Heading = props.isPage ? 'h1' : 'h2';
  return (
    <div className={classes.root}>
      <div className={classes.icon} aria-hidden>
        {props.icon}
      </div>
      <Heading className={classes.title}>{props.title}</Heading>
      <div className={classes.text}>{props.children}</div>
      {props.action && <div className={classes.action}>{props.action}</div>}
    </div>
  );
}

import { Skeleton } from '@mantine/core';
import classes from './inbox.module.css';
import rowClasses from './inbox-row.module.css';

/**
 * Rows as they will stand, while they are on their way. Apart from the list, whose script every
 * other page would load with this one, to be ready.
 */
export function InboxListSkeleton() {
  return (
    <div className={classes.root} role="status" aria-label="Loading">
      <div className={classes.list}>
        {[0, 1, 2, 3].map((row) => (
          <div key={row} className={`${rowClasses.row} ${rowClasses.waiting}`}>
            <span />
            <Skeleton height={36} circle />
            <div>
              <Skeleton height={12} width="30%" mt={5} />
              <Skeleton height={12} width="90%" mt={14} />
              <Skeleton height={12} width="70%" mt={8} />
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}

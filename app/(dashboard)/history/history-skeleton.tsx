import { Skeleton } from '@mantine/core';
import classes from './history.module.css';

/** As high as one entry, while they are on their way. */
export function HistorySkeleton() {
  return (
    <div className={classes.list} role="status" aria-label="Loading">
      <div className={classes.item}>
        <Skeleton height={12} width="70%" my={5} />
        <Skeleton height={12} width={120} my={5} />
      </div>
    </div>
  );
}

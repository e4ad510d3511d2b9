'use client';
import { Progress, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/src/ui/calls/trpc';
import { Instant, useNow } from '@/src/ui/time/instant';
import classes from './usage.module.css';

const refreshMs = 30_000;
const number = new Intl.NumberFormat('en');

/** How much of the current hour's rate limit is used, by all keys together. */
export function Usage() {
  const now = useNow();
  const usage = useQuery(
    useTRPC().apiKeys.usage.queryOptions(undefined, { refetchInterval: refreshMs }),
  );
  // Of no use as an error: the keys below can be managed without it.
  if (!usage.data) return usage.isPending ? <UsageSkeleton /> : null;
  const { limit, used, reset_at } = usage.data;
  const share = used / limit;
  const reset = reset_at === null ? undefined : new Date(reset_at);
  const isRunning = reset !== undefined && reset > now;
  return (
    <section className={classes.root} aria-label="Rate limit">
      <Text size="sm" className="numeric">
        <b>{number.format(isRunning ? used : 0)}</b> of {number.format(limit)} requests this hour
      </Text>
      <Progress
        className={classes.bar}
        value={isRunning ? share * 100 : 0}
        color={share >= 1 ? 'red' : share >= 0.8 ? 'yellow' : undefined}
        size="sm"
        aria-label="Share of the rate limit that is used"
      />
      <Text size="sm" c="dimmed" className={classes.reset} suppressHydrationWarning>
        {isRunning ? (
          <>
            Resets <Instant at={reset.toISOString()} isToCome />
          </>
        ) : (
          'The hour starts with the first request'
        )}
      </Text>
    </section>
  );
}

export function UsageSkeleton() {
  return (
    <div className={classes.root}>
      <Skeleton height={12} width={180} />
      <Skeleton height={5} className={classes.bar} />
      <Skeleton height={12} width={110} />
    </div>
  );
}

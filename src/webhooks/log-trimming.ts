import { hourlyJob } from '../background/hourly';
import { longTransaction } from '../database/client';
import { Prisma } from '../database/generated/client';
import { instant } from '../database/sql';
import { webhookLimits } from './limits';

/** Keeps the feed of events, and the log of their deliveries, short. */
export const logTrimmingJob = hourlyJob('log trimming', ({ endAt, now }) =>
  trimLog({ deadlineAt: endAt, now }),
);

/**
 * Removes events older than 30 days with their deliveries and attempts, in small batches until
 * nothing is left or time is up. What a paused endpoint has still to get stays. Returns how many
 * events were removed.
 */
export async function trimLog(options: {
  deadlineAt: number;
  now?: Date | undefined;
}): Promise<number> {
  const { logDays, trimBatch } = webhookLimits;
  let total = 0;
  while (Date.now() < options.deadlineAt) {
    const statement = Prisma.sql`
      DELETE FROM webhook_events WHERE id IN (
        SELECT event.id FROM webhook_events event
        WHERE event.created_at < ${instant(options.now)} - make_interval(days => ${logDays}::int)
          AND NOT EXISTS (
            SELECT 1 FROM webhook_deliveries d
            WHERE d.event_id = event.id AND d.state = 'pending'
          )
        ORDER BY event.created_at LIMIT ${trimBatch}
        FOR UPDATE SKIP LOCKED
      )`;
    const removed = await longTransaction((execute) => execute(statement));
    total += removed;
    if (removed < trimBatch) break;
  }
  return total;
}

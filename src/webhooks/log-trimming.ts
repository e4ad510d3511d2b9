import { type Job, nothingStarted } from '../background/job';
import { createPlaces } from '../background/places';
import { longTransaction } from '../database/client';
import { Prisma } from '../database/generated/client';
import { instant } from '../database/sql';
import { log } from '../log';
import { webhookLimits } from './limits';

const everyMs = 60 * 60 * 1000;
/** How long one round may take. What is left then waits for the next. */
const roundMs = 10_000;

/** Keeps the log of deliveries short: at the begin, and once an hour. */
export const logTrimmingJob: Job = {
  name: 'log trimming',
  begin({ now, deadlineAt = Number.POSITIVE_INFINITY, onDone }) {
    const places = createPlaces(1, onDone);
    let nextAt = Number.NEGATIVE_INFINITY;
    return {
      async start() {
        if (performance.now() < nextAt || places.free() === 0) return nothingStarted;
        nextAt = performance.now() + everyMs;
        places.take(async () => {
          try {
            await trimLog({ deadlineAt: Math.min(Date.now() + roundMs, deadlineAt), now });
          } catch (error) {
            log().error({ err: error }, 'the log of deliveries was not trimmed');
          }
        });
        return nothingStarted;
      },
      underWay: places.taken,
      nextDueInMs: async () => nextAt - performance.now(),
      // A round is short, and each of its statements stands for itself.
      abort: () => {},
      settled: places.settled,
    };
  },
};

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

import { hourlyJob } from '../background/hourly';
import { longStatement } from '../database/client';
import { Prisma } from '../database/generated/client';
import { instant } from '../database/sql/instants';
import { webhookLimits } from './limits';

/** Where the last round was when its time was up. */
let left: Place | undefined;

/** Keeps the feed of events, and the log of their deliveries, short. */
export const logTrimmingJob = hourlyJob('log trimming', async ({ endAt, now }) => {
  ({ left } = await trimLog({ endAt, now, from: left }));
  return left !== undefined;
});

/** The last event that was looked at, in the order of their times. */
type Place = { created_at: string; id: string };

/**
 * Removes events older than 30 days with their deliveries and attempts, in small batches until
 * nothing is left or time is up. What a paused endpoint has still to get stays, and each is looked at
 * once, however many they are: where time was up, the next call goes on `from` where this one has
 * `left`. Returns how many events were removed as well.
 */
export async function trimLog(options: {
  endAt: number;
  now?: Date | undefined;
  from?: Place | undefined;
}): Promise<{ removed: number; left: Place | undefined }> {
  let removed = 0;
  let place = options.from;
  while (Date.now() < options.endAt) {
    const [batch] = await longStatement<Batch>(trimBehind(place, options.now));
    removed += batch?.removed ?? 0;
    if (!batch?.last || batch.looked < webhookLimits.trimBatch) return { removed, left: undefined };
    place = batch.last;
  }
  return { removed, left: place };
}

type Batch = { looked: number; removed: number; last: Place | null };

/**
 * Looks at the next events behind a place, and removes of them what is not pending. OFFSET has that looked
 * up event by event: else all deliveries are read for each batch.
 */
function trimBehind(place: Place | undefined, now: Date | undefined): Prisma.Sql {
  const { logDays, trimBatch } = webhookLimits;
  const behind = place
    ? Prisma.sql`AND (created_at, id) > (${place.created_at}::timestamptz, ${place.id}::uuid)`
    : Prisma.empty;
  return Prisma.sql`
    WITH looked AS MATERIALIZED (
      SELECT id, created_at, NOT EXISTS (
        SELECT FROM webhook_deliveries d WHERE d.event_id = event.id AND d.state = 'pending' OFFSET 0
      ) AS may_go
      FROM webhook_events event
      WHERE created_at < ${instant(now)} - make_interval(days => ${logDays}::int) ${behind}
      ORDER BY created_at, id LIMIT ${trimBatch}::int
    ),
    removed AS (
      DELETE FROM webhook_events WHERE id IN (
        SELECT event.id FROM looked JOIN webhook_events event ON event.id = looked.id
        WHERE looked.may_go
        FOR UPDATE OF event SKIP LOCKED
      )
      RETURNING 1
    )
    SELECT (SELECT count(*) FROM looked)::int AS looked, (SELECT count(*) FROM removed)::int AS removed,
      (SELECT json_build_object('created_at', created_at, 'id', id) FROM looked
        ORDER BY created_at DESC, id DESC LIMIT 1) AS last`;
}

import { hourlyJob, repeatUntil } from '../background/hourly';
import { Prisma } from '../database/generated/client';
import { instant } from '../database/sql/instants';
import { idempotencyLimits } from './limits';

/** Removes the answers whose time is over, in small batches. */
export const idempotencyTrimmingJob = hourlyJob('idempotency keys', ({ endAt, now }) => {
  const { hours, trimBatch } = idempotencyLimits;
  const statement = Prisma.sql`
    DELETE FROM idempotency_keys WHERE (user_id, key_digest) IN (
      SELECT user_id, key_digest FROM idempotency_keys
      WHERE created_at <= ${instant(now)} - make_interval(hours => ${hours}::int)
      ORDER BY created_at LIMIT ${trimBatch}
      FOR UPDATE SKIP LOCKED
    )`;
  return repeatUntil(endAt, trimBatch, statement);
});

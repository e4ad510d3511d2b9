import { hourlyJob } from '../background/hourly';
import { database } from '../database/client';
import { instant } from '../database/sql/instants';
import { removeUntil } from '../database/sql/removing';
import { idempotencyLimits } from './limits';

/** Removes the answers whose time is over, in small batches. */
export const idempotencyTrimmingJob = hourlyJob('idempotency keys', ({ endAt, now }) => {
  const { hours, trimBatch } = idempotencyLimits;
  return removeUntil(
    endAt,
    trimBatch,
    () => database().$executeRaw`
      DELETE FROM idempotency_keys WHERE (user_id, key_digest) IN (
        SELECT user_id, key_digest FROM idempotency_keys
        WHERE created_at <= ${instant(now)} - make_interval(hours => ${hours}::int)
        ORDER BY created_at LIMIT ${trimBatch}
        FOR UPDATE SKIP LOCKED
      )`,
  );
});

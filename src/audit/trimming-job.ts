import { hourlyJob } from '../background/hourly';
import { database } from '../database/client';
import { Prisma } from '../database/generated/client';
import { instant } from '../database/sql';
import { auditLimits } from './limits';

/** Keeps the entries of a year, and of an account the newest, in small batches. */
export const auditTrimmingJob = hourlyJob('audit entries', async ({ endAt, now }) => {
  const { days, entriesPerAccount, trimBatch } = auditLimits;
  const old = Prisma.sql`
    SELECT id FROM audit_entries
    WHERE created_at <= ${instant(now)} - make_interval(days => ${days}::int)
    ORDER BY created_at LIMIT ${trimBatch} FOR UPDATE SKIP LOCKED`;
  const tooMany = Prisma.sql`
    SELECT entry.id FROM (
      SELECT user_id FROM audit_entries GROUP BY user_id HAVING count(*) > ${entriesPerAccount}::int
    ) account
    CROSS JOIN LATERAL (
      SELECT id FROM audit_entries e WHERE e.user_id = account.user_id
      ORDER BY e.created_at DESC, e.id DESC OFFSET ${entriesPerAccount}::int
    ) entry
    LIMIT ${trimBatch}`;
  for (const chosen of [old, tooMany]) {
    let removed: number = trimBatch;
    while (removed === trimBatch && Date.now() < endAt) {
      removed = await database().$executeRaw`
        DELETE FROM audit_entries WHERE id IN (${chosen})`;
    }
  }
});

import { hourlyJob, repeatUntil } from '../background/hourly';
import { database } from '../database/client';
import { Prisma } from '../database/generated/client';
import { instant } from '../database/sql/instants';
import { auditLimits } from './limits';

const { days, entriesPerAccount, trimBatch } = auditLimits;

/** Keeps the entries of a year, and of an account the newest, in small batches. */
export const auditTrimmingJob = hourlyJob('audit entries', async ({ endAt, now }) => {
  const over = Prisma.sql`created_at <= ${instant(now)} - make_interval(days => ${days}::int)`;
  const isLeft = await removeAll(
    endAt,
    Prisma.sql`
    SELECT id FROM audit_entries WHERE ${over}
    ORDER BY created_at LIMIT ${trimBatch} FOR UPDATE SKIP LOCKED`,
  );
  if (isLeft) return true;
  // Looked for once: with every batch it would take most of a round, and one account can write faster.
  const full = await database().$queryRaw<{ user_id: string }[]>`
    SELECT user_id FROM audit_entries GROUP BY user_id
    HAVING count(*) > ${entriesPerAccount}::int`;
  for (const { user_id } of full) {
    if (Date.now() >= endAt || (await removeAll(endAt, await behindNewest(user_id)))) return true;
  }
  return false;
});

/** The entries of an account that are older than those it may keep, a batch of them. */
async function behindNewest(accountId: string): Promise<Prisma.Sql> {
  const own = Prisma.sql`user_id = ${accountId}::uuid`;
  const [last] = await database().$queryRaw<{ created_at: string; id: string }[]>`
    SELECT created_at::text, id FROM audit_entries WHERE ${own}
    ORDER BY created_at DESC, id DESC OFFSET ${entriesPerAccount - 1} LIMIT 1`;
  return Prisma.sql`
    SELECT id FROM audit_entries WHERE ${own}
      AND (created_at, id) < (${last?.created_at}::timestamptz, ${last?.id}::uuid)
    LIMIT ${trimBatch} FOR UPDATE SKIP LOCKED`;
}

/** Until there are none, or time is up; resolves to whether it is. */
function removeAll(endAt: number, batch: Prisma.Sql): Promise<boolean> {
  const statement = Prisma.sql`DELETE FROM audit_entries WHERE id IN (${batch})`;
  return repeatUntil(endAt, trimBatch, statement);
}

import { removeData } from '../accounts/deletion';
import { database } from '../database/client';
import { Prisma } from '../database/generated/client';
import { countedRows, type TestDataCounts } from './schema';

/** How long one call removes; the pages call again and show how far it is. */
const callMs = 1500;

/** What `emptyTestData` is going to remove, each kind counted up to `mostRows`. */
export async function countTestData(
  accountId: string,
  mostRows = countedRows,
): Promise<TestDataCounts> {
  const id = Prisma.sql`${accountId}::uuid`;
  const atMost = (rows: Prisma.Sql) =>
    Prisma.sql`(SELECT count(*)::int FROM (SELECT FROM ${rows} LIMIT ${mostRows}::int) counted)`;
  const own = (table: string) => atMost(Prisma.sql`${Prisma.raw(table)} WHERE user_id = ${id}`);
  const [counts] = await database().$queryRaw<[TestDataCounts]>`
    SELECT ${own('spaces')} AS spaces, ${own('testimonials')} AS testimonials,
      ${own('webhook_events')} AS events, ${own('request_log')} AS requests,
      ${atMost(Prisma.sql`webhook_endpoints endpoint, LATERAL (
        SELECT FROM webhook_deliveries WHERE endpoint_id = endpoint.id
        -- Out of an index, also where few endpoints have most of them.
        ORDER BY created_at DESC, id DESC LIMIT ${mostRows}::int
      ) own WHERE endpoint.user_id = ${id}`)} AS deliveries,
      ${atMost(Prisma.sql`stored_files file WHERE file.user_id = ${id}
        AND NOT EXISTS (SELECT FROM file_removals removal WHERE removal.key = file.key)`)} AS files`;
  return counts;
}

/**
 * Removes what has gathered in a test account, in batches, for a second and a half; returns how many
 * rows, and whether that was all. No events are sent, and followers of its feed are told to start over.
 * @throws Error for an account that is no test account
 */
export async function emptyTestData(
  accountId: string,
  now = () => performance.now(),
): Promise<{ removed: number; is_done: boolean }> {
  const { liveUserId } = await database().user.findUniqueOrThrow({
    where: { id: accountId },
    select: { liveUserId: true },
  });
  if (liveUserId === null) throw new Error('Only test data can be emptied');
  const endAt = now() + callMs;
  const { removed, isDone } = await removeData(accountId, () => now() < endAt);
  return { removed, is_done: isDone };
}

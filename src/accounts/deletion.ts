import { database } from '../database/client';
import { Prisma } from '../database/generated/client';
import { nameList } from '../database/sql/columns';
import { instant } from '../database/sql/instants';
import { removalBatch, removeAt, removeSome } from '../database/sql/removing';
import { fileColumns } from '../storage/file-references';
import { queueRemovals } from '../storage/removal-queue';

/**
 * How long after an account was closed its rows begin to go. What was under way is over by then, so that
 * nothing writes beside the deletion.
 */
const afterSeconds = 60;

/**
 * Closed accounts whose rows are to go, the one closed first in front; each once its test account is gone,
 * whose rows would go with its own, and their files stay. Up to 20, without those that are named.
 */
export async function accountsToDelete(
  now?: Date,
  { except = [] }: { except?: string[] } = {},
): Promise<string[]> {
  const rows = await database().$queryRaw<{ id: string }[]>`
    SELECT id FROM users account
    WHERE closed_at <= ${instant(now)} - make_interval(secs => ${afterSeconds}::int)
      AND id <> ALL (${except}::uuid[])
      AND NOT EXISTS (SELECT FROM users test WHERE test.live_user_id = account.id)
    ORDER BY closed_at LIMIT 20`;
  return rows.map(({ id }) => id);
}

/**
 * Removes what a closed account has, in steps that each stand for themselves: what a killed process
 * leaves is done by the next one. Files are queued for removal, which goes on by itself. Returns
 * false where `mayGoOn` ended it.
 */
export async function deleteClosedAccount(
  accountId: string,
  mayGoOn: () => boolean,
): Promise<boolean> {
  const tables = ['webhook_events', 'webhook_endpoints', ...gathered, ...ofTheAccount];
  const { isDone } = await takeSteps(stepsFor(accountId, tables), mayGoOn);
  if (!isDone) return false;
  // Were there a row left, it goes with the account's. None is ever opened again.
  await database().$executeRaw`DELETE FROM users WHERE id = ${accountId}::uuid`;
  return true;
}

/**
 * Removes what an account has gathered, and leaves its keys, its endpoints and itself: for test data. In
 * the same steps, without events, and so that each follower of the feed is told to start over.
 */
export async function removeData(
  accountId: string,
  mayGoOn: () => boolean,
): Promise<{ removed: number; isDone: boolean }> {
  const tables = ['webhook_events', ...gathered];
  return takeSteps(stepsFor(accountId, tables, endCursors), mayGoOn);
}

/** Each step until there is nothing left for it, while `mayGoOn`. */
async function takeSteps(
  steps: Prisma.Sql[],
  mayGoOn: () => boolean,
): Promise<{ removed: number; isDone: boolean }> {
  let removed = 0;
  for (const step of steps) {
    let ofBatch = 1;
    while (ofBatch > 0) {
      if (!mayGoOn()) return { removed, isDone: false };
      const [row] = await database().$queryRaw<{ removed: number }[]>(step);
      ofBatch = row?.removed ?? 0;
      removed += ofBatch;
    }
  }
  return { removed, isDone: true };
}

/**
 * The steps in their order, each to be repeated until it removes nothing; `also` as for `removeOwn`. Two
 * processes may take them side by side: what one has locked, the other passes over.
 */
function stepsFor(
  accountId: string,
  tables: string[],
  also: (accountId: Prisma.Sql) => Prisma.Sql = () => Prisma.empty,
): Prisma.Sql[] {
  const id = Prisma.sql`${accountId}::uuid`;
  return [
    removeDeliveries(id),
    ...tables.map((table) => removeOwn(table, id, also(id))),
    removeRequests(id),
    queueFiles(id),
  ];
}

/**
 * With their attempts, before what they belong to: a cascade would take all at once.
 *
 * One endpoint after the other, in the order of an index: where few endpoints have most deliveries, all
 * that there are would be read for those of one that has none.
 */
function removeDeliveries(accountId: Prisma.Sql): Prisma.Sql {
  const places = Prisma.sql`
        SELECT own.place FROM webhook_endpoints endpoint, LATERAL (
          SELECT ctid AS place FROM webhook_deliveries WHERE endpoint_id = endpoint.id
          ORDER BY created_at DESC, id DESC LIMIT ${removalBatch} FOR UPDATE SKIP LOCKED
        ) own
        WHERE endpoint.user_id = ${accountId} LIMIT ${removalBatch}`;
  return removeAt('webhook_deliveries', places);
}

/**
 * Part of a statement that removes rows without events: every cursor of the feed that was given before
 * is too old from its commit on. A position without an event is passed over, and whoever waits hears of
 * it as of one with.
 */
function endCursors(accountId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`,
    ended AS (
      UPDATE users SET event_position = event_position + 1,
        trimmed_event_position = event_position + 1
      WHERE id = ${accountId} AND EXISTS (SELECT FROM removed)
    )`;
}

/** What has gathered in an account. Counts and texts of testimonials go with these, by triggers. */
const gathered = ['testimonials', 'transcription_jobs', 'spaces', 'idempotency_keys'];

/** What else it has rows in. */
const ofTheAccount = [
  'api_keys',
  'sessions',
  'sign_in_methods',
  'account_links',
  'audit_entries',
  'mails',
];

/** `also`: expressions of the same statement, behind `removed`. */
function removeOwn(table: string, accountId: Prisma.Sql, also: Prisma.Sql): Prisma.Sql {
  if (table === 'testimonials') return removeTestimonials(accountId, also);
  return removeSome(table, Prisma.sql`user_id = ${accountId}`, also);
}

/** By their key: the log has a partition for each day, and a place in one is one in each of them. */
function removeRequests(accountId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    WITH chosen AS MATERIALIZED (
      SELECT received_at, id FROM request_log WHERE user_id = ${accountId}
      LIMIT ${removalBatch} FOR UPDATE SKIP LOCKED
    ),
    removed AS (
      DELETE FROM request_log r USING chosen
      WHERE r.user_id = ${accountId} AND r.received_at = chosen.received_at AND r.id = chosen.id
      RETURNING 1
    )
    SELECT count(*)::int AS removed FROM removed`;
}

/**
 * Without events: there is nobody left to tell. Their files are queued in the same statement, before the
 * account is locked by what follows.
 */
function removeTestimonials(accountId: Prisma.Sql, also: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    WITH chosen AS MATERIALIZED (
      SELECT id FROM testimonials WHERE user_id = ${accountId}
      LIMIT ${removalBatch} FOR UPDATE SKIP LOCKED
    ),
    gone AS (
      DELETE FROM testimonials WHERE id IN (SELECT id FROM chosen)
      RETURNING user_id, ${nameList(fileColumns.testimonials)}
    ),
    queued AS (${queueRemovals(Prisma.sql`gone`, fileColumns.testimonials)} RETURNING key),
    removed AS (SELECT FROM gone, (SELECT count(*) FROM queued) before)${also}
    SELECT count(*)::int AS removed FROM removed`;
}

/** Every upload that is left: logos, and what no row names. Those that are queued stay as they are. */
function queueFiles(accountId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    WITH queued AS (
      INSERT INTO file_removals (key, url, user_id)
      SELECT file.key, file.url, file.user_id FROM stored_files file
      WHERE file.user_id = ${accountId}
        AND NOT EXISTS (SELECT FROM file_removals removal WHERE removal.key = file.key)
      ORDER BY file.key LIMIT ${removalBatch}
      ON CONFLICT (key) DO NOTHING
      RETURNING 1
    )
    SELECT count(*)::int AS removed FROM queued`;
}

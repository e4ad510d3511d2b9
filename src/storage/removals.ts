import { database } from '../database/client';
import { Prisma } from '../database/generated/client';
import { log } from '../log';
import { keyPatternParts } from './key';
import { publicBase, storage } from './storage';

/**
 * How long a failed removal waits for the next try, by the number of tries so far; the last one
 * repeats, so that nothing is given up. Each is longer than a try may take, so that a removal under
 * way is not begun a second time.
 */
const backoffSeconds = [60, 5 * 60, 30 * 60, 2 * 3600, 6 * 3600, 24 * 3600];

export const removalLimits = {
  /** How long one removal may take. */
  timeoutMs: 10_000,
  /** Removals under way at once in one process. */
  atOnce: 20,
} as const;

/**
 * The statement that queues the uploaded files of testimonials for removal, to stand in the
 * transaction that deletes them. `rows` is a FROM item with the columns user_id,
 * submitter_avatar_url, video_url and video_thumbnail_url.
 *
 * A file is queued where its URL is, letter by letter, the storage's public base and a key of the
 * row's own account. Nothing is decoded or normalised: an address that merely means the same is
 * not one the service gave out.
 */
export function queueRemovals(rows: Prisma.Sql): Prisma.Sql {
  const base = publicBase();
  const { before, after } = keyPatternParts;
  // In the order of the keys, so that two deletions of the same files never wait in a circle. One
  // already queued starts anew: a try under way may have found the file in use by these rows.
  return Prisma.sql`
    INSERT INTO file_removals AS queued (key, url, user_id)
    SELECT DISTINCT file.key, file.url, file.user_id
    FROM (
      SELECT used.url, owner.user_id, substr(used.url, length(${base}::text) + 1) AS key
      FROM ${rows} owner, LATERAL (
        VALUES (owner.submitter_avatar_url), (owner.video_url), (owner.video_thumbnail_url)
      ) used(url)
      WHERE starts_with(used.url, ${base}::text)
    ) file
    WHERE file.key ~ (${before}::text || file.user_id::text || ${after}::text)
    ORDER BY file.key
    ON CONFLICT (key) DO UPDATE
    SET attempt_count = 0, next_attempt_at = excluded.next_attempt_at`;
}

export type ClaimedRemoval = { key: string; attempt_count: number; in_use: boolean };

/**
 * Takes due removals and puts their next try off, which keeps other processes away meanwhile. What
 * was queued for a storage other than the one configured waits until that is configured again.
 * `now` says what is due: the database's clock where it is absent.
 *
 * The check for other uses stands here and not where the file is queued: of two rows that are
 * deleted at the same time, each would see the other one.
 */
export function claimRemovals({
  limit,
  now,
}: {
  limit: number;
  now?: Date | undefined;
}): Promise<ClaimedRemoval[]> {
  const instant = now ? Prisma.sql`${now}::timestamptz` : Prisma.sql`statement_timestamp()`;
  return database().$queryRaw<ClaimedRemoval[]>`
    WITH due AS MATERIALIZED (
      SELECT key FROM file_removals
      WHERE next_attempt_at <= ${instant} AND starts_with(url, ${publicBase()}::text)
      ORDER BY next_attempt_at LIMIT ${limit}::int
      FOR UPDATE SKIP LOCKED
    ),
    claimed AS (
      UPDATE file_removals removal
      SET attempt_count = removal.attempt_count + 1,
        next_attempt_at = ${instant} + interval '1 second' * (${backoffSeconds}::int[])[
          least(removal.attempt_count + 1, ${backoffSeconds.length}::int)]
      FROM due WHERE removal.key = due.key
      RETURNING removal.key, removal.url, removal.user_id, removal.attempt_count
    ),
    in_use AS (
      SELECT used.url FROM testimonials t, LATERAL (
        VALUES (t.submitter_avatar_url), (t.video_url), (t.video_thumbnail_url)
      ) used(url)
      WHERE t.user_id IN (SELECT user_id FROM claimed)
      UNION ALL
      SELECT s.logo_url FROM spaces s WHERE s.user_id IN (SELECT user_id FROM claimed)
      UNION ALL
      SELECT u.image FROM users u WHERE u.id IN (SELECT user_id FROM claimed)
    )
    SELECT key, attempt_count, url IN (SELECT url FROM in_use WHERE url IS NOT NULL) AS in_use
    FROM claimed`;
}

/**
 * Removes a file, unless another row of the account still uses it. A failure is logged and tried
 * again later, as is what `stop` ends.
 */
export async function removeFile(
  { key, attempt_count, in_use }: ClaimedRemoval,
  stop: AbortSignal,
): Promise<void> {
  try {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(removalLimits.timeoutMs)]);
    if (!in_use) await storage().remove(key, signal);
    // Not where the file was queued anew meanwhile: what used it then may be gone by now.
    await database().$executeRaw`
      DELETE FROM file_removals WHERE key = ${key} AND attempt_count = ${attempt_count}`;
  } catch (error) {
    log().warn({ err: error, key, attempts: attempt_count }, 'uploaded file not removed yet');
  }
}

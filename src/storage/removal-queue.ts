import { withSignal } from '../background/with-signal';
import { database } from '../database/client';
import { Prisma } from '../database/generated/client';
import { instant } from '../database/sql/instants';
import { walk } from '../database/sql/walk';
import { tellOnceAMinute } from '../logging/lasting-failure';
import { log } from '../logging/log';
import { isInStorage, isInUse, namedFiles } from './file-references';
import { keyPatternParts } from './key';
import { publicBase, storage } from './storage';

/**
 * How long a failed removal waits for the next try, by the number of tries so far; the last one
 * repeats, so that nothing is given up. Each is longer than a try may take, so that a removal under
 * way is not begun a second time.
 */
const backoffSeconds = [60, 5 * 60, 30 * 60, 2 * 3600, 6 * 3600, 24 * 3600];

/** How often it is looked whether the storage is configured that a file was queued for. */
const elsewhereHours = 24;

export const removalLimits = {
  /** How long one removal may take. */
  timeoutMs: 10_000,
  /** Removals under way at once in one process. */
  atOnce: 20,
  /** The longest that a removal is put off. */
  longestDelayMs: Math.max(...backoffSeconds, elsewhereHours * 3600) * 1000,
  elsewhereHours,
  /** Looked at of an account in one statement that puts off those of a storage that is not. */
  elsewhereBatch: 500,
} as const;

/**
 * The statement that queues uploaded files for removal, to stand in the transaction after which
 * their rows no longer name them. `rows` is a FROM item with the column user_id and those `columns`
 * (trusted text) that hold addresses.
 *
 * A file is queued where its URL is, letter by letter, the storage's public base and a key of the
 * row's own account, or the address that was given out for that key as it was uploaded: the base may
 * be another since. Nothing is decoded or normalised: an address that merely means the same is not one
 * the service gave out.
 */
export function queueRemovals(rows: Prisma.Sql, columns: readonly string[]): Prisma.Sql {
  const { before, after } = keyPatternParts;
  // In the order of the keys, so that two deletions of the same files never wait in a circle. One
  // already queued starts anew: a try under way may have found the file in use by these rows.
  return Prisma.sql`
    INSERT INTO file_removals AS queued (key, url, user_id)
    SELECT DISTINCT ON (file.key) file.key, file.url, file.user_id
    FROM ${namedFiles(rows, columns)} file
    WHERE file.key ~ (${before}::text || file.user_id::text || ${after}::text)
      AND (file.url = ${publicBase()}::text || file.key OR EXISTS (
        SELECT FROM stored_files stored
        WHERE stored.key = file.key AND stored.user_id = file.user_id AND stored.url = file.url
      ))
    ORDER BY file.key, file.url
    ON CONFLICT (key) DO UPDATE
    SET attempt_count = 0, next_attempt_at = excluded.next_attempt_at`;
}

type ClaimedRemoval = {
  key: string;
  user_id: string;
  attempt_count: number;
  /** When it would be tried next, to the microsecond. */
  put_off_to: string;
  in_use: boolean;
  /** Not, where it was queued for a storage other than the one configured; it is put off already. */
  is_here: boolean;
};

/**
 * Takes up to `limit` due removals, and puts their next try off, which keeps other processes away
 * meanwhile. What was queued for a storage other than the one configured is among them, and looked at
 * again after a day, until that is configured again: see `putOffElsewhere`. `now` says what is due: the
 * database's clock where it is absent.
 *
 * The accounts share the limit, whatever each has queued: a walk over those that have something due,
 * from `start` (any UUID) once around, stepping from one to the next by the index.
 *
 * The check for other uses stands here and not where the file is queued: of two rows that are
 * deleted at the same time, each would see the other one.
 */
export function claimRemovals(options: {
  limit: number;
  start: string;
  now?: Date | undefined;
}): Promise<ClaimedRemoval[]> {
  const { limit, start, now } = options;
  const at = instant(now);
  const due = Prisma.sql`r.next_attempt_at <= ${at}`;
  return database().$queryRaw<ClaimedRemoval[]>`
    WITH RECURSIVE ${walk({ table: 'file_removals r', column: 'user_id', due, start })},
    -- Two more than the limit: where the walk begins, and where it begins anew, it meets nobody.
    account AS MATERIALIZED (SELECT DISTINCT user_id FROM (
      SELECT user_id FROM walk LIMIT ${limit + 2}::int
    ) met),
    chosen AS MATERIALIZED (
      SELECT found.key FROM account CROSS JOIN LATERAL (
        SELECT r.key, r.next_attempt_at, row_number() OVER (ORDER BY r.next_attempt_at, r.key) AS turn
        FROM file_removals r WHERE r.user_id = account.user_id AND ${due}
        ORDER BY r.next_attempt_at, r.key LIMIT ${limit}::int
      ) found
      ORDER BY found.turn, found.next_attempt_at LIMIT ${limit}::int
    ),
    locked AS MATERIALIZED (
      SELECT r.key, ${isInStorage('r')} AS is_here FROM file_removals r
      WHERE r.key IN (SELECT key FROM chosen) AND ${due}
      FOR UPDATE SKIP LOCKED
    ),
    claimed AS (
      UPDATE file_removals removal
      SET attempt_count = removal.attempt_count + locked.is_here::int,
        next_attempt_at = CASE WHEN locked.is_here
          THEN ${at} + interval '1 second' * (${backoffSeconds}::int[])[
            least(removal.attempt_count + 1, ${backoffSeconds.length}::int)]
          ELSE ${nextLook(at)} END
      FROM locked WHERE removal.key = locked.key
      RETURNING removal.key, removal.url, removal.user_id, removal.attempt_count,
        removal.next_attempt_at::text AS put_off_to, locked.is_here
    )
    SELECT key, user_id, attempt_count, put_off_to, is_here, is_here AND ${isInUse('claimed')} AS in_use
    FROM claimed`;
}

/**
 * Puts off what was queued for a storage other than the one configured, among the first of each of
 * these accounts that are due: there may be any number, and each claim would go through them.
 */
export async function putOffElsewhere(accountIds: string[], now?: Date): Promise<void> {
  const at = instant(now);
  const due = Prisma.sql`r.next_attempt_at <= ${at}`;
  await database().$executeRaw`
    WITH first AS MATERIALIZED (
      SELECT found.key FROM unnest(${accountIds}::uuid[]) account (user_id) CROSS JOIN LATERAL (
        SELECT r.key FROM file_removals r WHERE r.user_id = account.user_id AND ${due}
        ORDER BY r.next_attempt_at LIMIT ${removalLimits.elsewhereBatch}::int
      ) found
    )
    UPDATE file_removals SET next_attempt_at = ${nextLook(at)} WHERE key IN (
      SELECT r.key FROM file_removals r
      WHERE r.key IN (SELECT key FROM first) AND ${due} AND NOT ${isInStorage('r')}
      FOR UPDATE SKIP LOCKED
    )`;
}

function nextLook(at: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`${at} + make_interval(hours => ${removalLimits.elsewhereHours}::int)`;
}

/**
 * Removes a file, unless another row of the account still uses it. What fails, or `stop` ends, is
 * tried again later. A storage that is away fails every file, and is told once a minute.
 */
export async function removeFile(
  { key, attempt_count, put_off_to, in_use }: ClaimedRemoval,
  stop: AbortSignal,
): Promise<void> {
  try {
    if (!in_use) {
      const { timeoutMs } = removalLimits;
      await withSignal({ stop, timeoutMs }, (signal) => storage().remove(key, signal));
      await database().storedFile.deleteMany({ where: { key } });
    }
    // Not where the file was queued anew meanwhile: what used it then may be gone by now. Begun once more,
    // that has the count of this try again, and another time of its own.
    await database().$executeRaw`
      DELETE FROM file_removals WHERE key = ${key} AND attempt_count = ${attempt_count}
        AND next_attempt_at = ${put_off_to}::timestamptz`;
  } catch (error) {
    tellOnceAMinute('removals that fail', (times) => {
      const line = { err: error, key, attempts: attempt_count, times };
      log().warn(line, 'uploaded file not removed yet');
    });
  }
}

import { repeatUntil } from '../background/hourly';
import { database } from '../database/client';
import { Prisma } from '../database/generated/client';
import { instant } from '../database/sql/instants';
import { type MailKind, mailKinds, type QueuedMail, type Rules, rulesByKind } from './kinds';

export const mailLimits = {
  /** How long sending one may take. */
  timeoutMs: 20_000,
  /** Sent at once by one process. */
  atOnce: 4,
  /** Removed in one statement once they are of no use. */
  trimBatch: 500,
};

/**
 * How long a mail that was not taken waits for the next try, by the number of tries so far; the last
 * one repeats until the mail is no longer worth sending. Each is longer than a try may take, so that
 * one under way is not begun a second time: `timeoutMs`, and what is read before and written after it,
 * four statements at most, of which each may wait for 10 s to be begun and for 5 s to be answered.
 */
const backoffSeconds = [90, 2 * 60, 5 * 60, 15 * 60, 3600];

/** The longest that a mail waits, by how many tries there were; the last one repeats. */
export const longestDelaysMs = [0, ...backoffSeconds.map((seconds) => seconds * 1000)];

/**
 * The statement that queues a mail for each of `rows`, to stand alone or in the statement that makes
 * what it tells of. `rows` is a SELECT of user_id (uuid), recipient (text) and data (json). Beyond what
 * an account may be sent in a day, those of the same statement counted, none is queued. Statements at
 * the same time do not count each other's: it keeps floods away, and is not exact.
 */
export function queueMails(kind: MailKind, rows: Prisma.Sql): Prisma.Sql {
  const { hours, perDay }: Rules = mailKinds[kind];
  const withinLimit =
    perDay === undefined
      ? rows
      : Prisma.sql`
        SELECT * FROM (
          SELECT *, row_number() OVER (PARTITION BY user_id) AS place FROM (${rows}) unplaced
        ) row WHERE place + (
          SELECT count(*) FROM mails today WHERE today.user_id = row.user_id AND today.kind = ${kind}
            AND today.created_at > clock_timestamp() - interval '1 day'
            -- Not what a clock that was ahead has made, which would count until that day.
            AND today.created_at <= clock_timestamp()
        ) <= ${perDay}::int`;
  return Prisma.sql`
    INSERT INTO mails (user_id, kind, recipient, data, expires_at)
    SELECT row.user_id, ${kind}, row.recipient, row.data,
      clock_timestamp() + make_interval(hours => ${hours}::int)
    FROM (${withinLimit}) row`;
}

export type ClaimedMail = QueuedMail & { kind: string; attempts: number };

/**
 * Takes up to `limit` mails that are due, the longest waiting first, and puts their next try off,
 * which keeps other processes away meanwhile. What an account has queued is bounded where it is.
 */
export function claimMails(limit: number, now?: Date): Promise<ClaimedMail[]> {
  const at = instant(now);
  return database().$queryRaw<ClaimedMail[]>`
    WITH due AS MATERIALIZED (
      SELECT id FROM mails WHERE next_attempt_at <= ${at} AND expires_at > ${at} AND sent_at IS NULL
      ORDER BY next_attempt_at LIMIT ${limit}::int
      FOR UPDATE SKIP LOCKED
    ),
    claimed AS (
      UPDATE mails SET attempt_count = mails.attempt_count + 1,
        next_attempt_at = ${at} + interval '1 second' * (${backoffSeconds}::int[])[
          least(mails.attempt_count + 1, ${backoffSeconds.length}::int)]
      FROM due WHERE mails.id = due.id
      RETURNING mails.*
    )
    SELECT claimed.id, claimed.kind, claimed.user_id AS "accountId", users.email AS "accountEmail",
      claimed.recipient, claimed.data, claimed.attempt_count AS attempts
    FROM claimed LEFT JOIN users ON users.id = claimed.user_id`;
}

/** Takes a mail off the queue that there is no use in. */
export async function removeMail(id: string): Promise<void> {
  await database().$executeRaw`DELETE FROM mails WHERE id = ${id}::uuid`;
}

/**
 * Notes that a mail is sent. It stays where it counts for how many an account gets in a day, and is
 * trimmed after that.
 */
export async function noteSent({ id, kind }: Pick<ClaimedMail, 'id' | 'kind'>): Promise<void> {
  if (rulesByKind.get(kind)?.perDay === undefined) return removeMail(id);
  // Out of the way of those that are due.
  await database().$executeRaw`
    UPDATE mails SET sent_at = clock_timestamp(), problem = NULL, next_attempt_at = expires_at
    WHERE id = ${id}::uuid`;
}

/** Notes why a mail was not taken, as a code; it is tried again. */
export async function noteProblem(id: string, problem: string): Promise<void> {
  await database().$executeRaw`UPDATE mails SET problem = ${problem} WHERE id = ${id}::uuid`;
}

/**
 * Removes mails whose time is over, in small batches. Resolves to whether it was `endAt` before all
 * were gone.
 */
export function trimMails(options: { endAt: number; now: Date | undefined }): Promise<boolean> {
  const { trimBatch } = mailLimits;
  const statement = Prisma.sql`
    DELETE FROM mails WHERE id IN (
      SELECT id FROM mails WHERE expires_at <= ${instant(options.now)}
      LIMIT ${trimBatch} FOR UPDATE SKIP LOCKED
    )`;
  return repeatUntil(options.endAt, trimBatch, statement);
}

/** The mails that wait to be sent to this account, and why the last try of one of them failed. */
export async function waitingMails(
  accountId: string,
): Promise<{ waiting: number; problem: string | null }> {
  const [row] = await database().$queryRaw<{ waiting: number; problem: string | null }[]>`
    SELECT count(*)::int AS waiting, max(problem) AS problem FROM mails
    WHERE user_id = ${accountId}::uuid AND expires_at > clock_timestamp() AND sent_at IS NULL`;
  return row ?? { waiting: 0, problem: null };
}

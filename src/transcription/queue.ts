import { tokensOf } from '../background/held-leases';
import { database } from '../database/client';
import { Prisma } from '../database/generated/client';
import { instant } from '../database/sql/instants';
import { walk } from '../database/sql/walk';
import { retryForMs } from './backoff';
import { transcriptionLimits as limits } from './limits';

/** A video that this process, and no other, may try to transcribe now. */
export type TranscriptionJob = {
  testimonialId: string;
  accountId: string;
  /** As it was when it was claimed; null where somebody has taken it away. */
  videoUrl: string | null;
  token: string;
  /** Tries that were begun, this one included. */
  attempts: number;
  /** Whether the try before ended with its process. */
  wasInterrupted: boolean;
};

/** When a lease ends that begins, or is renewed, at an instant. */
export function leaseEnd(at: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`${at} + ${limits.leaseMs / 1000}::float8 * interval '1 second'`;
}

/**
 * Has videos transcribed, as part of the statement that writes their testimonials: a common table
 * expression, `transcription_job`, once in a statement. `source` is the name of an expression
 * (trusted text) with the columns id, user_id, text_content and transcription, of any number of rows;
 * those that are `pending` get a job, or begin anew where they have one.
 *
 * The job is due at once, or leased under `token` to a request that makes the first try itself and
 * waits for it.
 */
export function enqueueTranscriptions(source: string, token?: string): Prisma.Sql {
  const now = Prisma.sql`statement_timestamp()`;
  const first = token
    ? Prisma.sql`1, ${leaseEnd(now)}, ${token}::uuid`
    : Prisma.sql`0, ${now}, NULL::uuid`;
  return Prisma.sql`transcription_job AS (
      INSERT INTO transcription_jobs AS job
        (testimonial_id, user_id, text_hash, attempt_count, next_attempt_at, lease_token)
      SELECT id, user_id, ${textHash('text_content')}, ${first} FROM ${Prisma.raw(source)}
      WHERE transcription = 'pending' ORDER BY id
      ON CONFLICT (testimonial_id) DO UPDATE SET attempt_count = excluded.attempt_count,
        next_attempt_at = excluded.next_attempt_at, lease_token = excluded.lease_token,
        text_hash = excluded.text_hash, created_at = excluded.created_at
    )`;
}

/** By which a job knows whether a text was edited since. `column` is trusted text. */
export function textHash(column: string): Prisma.Sql {
  return Prisma.raw(`hashtextextended(coalesce(${column}, ''), 0)`);
}

type Claiming = {
  free: number;
  /** How many tries accounts have under way in this process, by their ids. */
  underWay: Map<string, number>;
  /** What this process tries: not taken again, though its lease has run out while its row was locked. */
  held?: Iterable<TranscriptionJob>;
  token: string;
  start: string;
  now?: Date | undefined;
};

/** Of a job that was claimed; without one, where none was. */
type Row = { candidates: number; unwanted: number; unwantedOf: string[] } & (
  | Omit<TranscriptionJob, 'token'>
  | { testimonialId: null }
);

/**
 * Takes due jobs under a lease, as long as places are `free`. Accounts take turns, and an account
 * gets, together with what it has under way in this process, no more than places stay free.
 * `mayHaveMore` says that something was left for the sake of others.
 *
 * A walk over the accounts that have something due, from `start` (any UUID) once around, stepping
 * from one to the next by the index: its cost depends on the places and not on how much is due.
 * `unwantedOf` says which accounts have jobs in front that wait for nothing any more, and stand before
 * others: see `endUnwanted`.
 */
export async function claimTranscriptions(
  options: Claiming,
): Promise<{ claimed: TranscriptionJob[]; mayHaveMore: boolean; unwantedOf: string[] }> {
  const { free, token, start, underWay } = options;
  const ofAccounts = [...underWay].map(([user_id, count]) => ({ user_id, count }));
  const held = tokensOf(options.held ?? []);
  const at = instant(options.now);
  const due = Prisma.sql`j.next_attempt_at <= ${at}`;
  const rows = await database().$queryRaw<Row[]>`
    WITH RECURSIVE of_account AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(ofAccounts)}::json)
        AS of_account (user_id uuid, count int)
    ),
    ${walk({ table: 'transcription_jobs j', column: 'user_id', due, start })},
    -- Two more than can be taken, for where the walk begins, and begins anew, it may meet nobody; and
    -- as many as may have enough under way.
    account AS MATERIALIZED (SELECT DISTINCT user_id FROM (
      SELECT user_id FROM walk LIMIT ${free + 2 + underWay.size}::int
    ) met),
    candidate AS MATERIALIZED (
      SELECT found.*, coalesce(of_account.count, 0) + found.rank AS would_have
      FROM account LEFT JOIN of_account ON of_account.user_id = account.user_id
      CROSS JOIN LATERAL (
        SELECT j.testimonial_id, j.next_attempt_at,
          row_number() OVER (ORDER BY j.next_attempt_at, j.testimonial_id) AS rank
        FROM transcription_jobs j WHERE j.user_id = account.user_id AND ${due}
          AND (j.lease_token IS NULL OR j.lease_token <> ALL (${held}::uuid[]))
        ORDER BY j.next_attempt_at, j.testimonial_id LIMIT ${free}::int
      ) found
    ),
    chosen AS MATERIALIZED (
      SELECT testimonial_id FROM (
        SELECT testimonial_id, would_have,
          row_number() OVER (ORDER BY would_have, next_attempt_at, testimonial_id) AS turn
        FROM candidate
      ) in_turn
      WHERE would_have <= ${free}::int - turn + 1
    ),
    locked AS MATERIALIZED (
      SELECT j.testimonial_id, j.user_id, j.lease_token IS NOT NULL AS was_interrupted,
        t.video_url, t.id IS NOT NULL AS is_wanted
      FROM transcription_jobs j
      LEFT JOIN testimonials t ON t.id = j.testimonial_id AND t.user_id = j.user_id
        AND t.transcription = 'pending'
      WHERE j.testimonial_id IN (SELECT testimonial_id FROM chosen) AND ${due}
      FOR UPDATE OF j SKIP LOCKED
    ),
    leased AS (
      UPDATE transcription_jobs j SET attempt_count = j.attempt_count + 1,
        lease_token = ${token}::uuid, next_attempt_at = ${leaseEnd(at)}
      FROM locked WHERE j.testimonial_id = locked.testimonial_id AND locked.is_wanted
      RETURNING j.testimonial_id AS "testimonialId", j.user_id AS "accountId",
        j.attempt_count AS attempts, locked.was_interrupted AS "wasInterrupted",
        locked.video_url AS "videoUrl"
    )
    SELECT counted.*, leased.* FROM (
      SELECT (SELECT count(*) FROM candidate)::int AS candidates,
        (SELECT count(*) FROM locked WHERE NOT is_wanted)::int AS unwanted,
        ARRAY(SELECT DISTINCT user_id FROM locked WHERE NOT is_wanted) AS "unwantedOf"
    ) counted
    LEFT JOIN leased ON true`;
  const { candidates = 0, unwanted = 0, unwantedOf = [] } = rows[0] ?? {};
  const claimed = rows.flatMap((row) => {
    if (row.testimonialId === null) return [];
    const { testimonialId, accountId, attempts, wasInterrupted, videoUrl } = row;
    return [{ testimonialId, accountId, attempts, wasInterrupted, videoUrl, token }];
  });
  return { claimed, mayHaveMore: claimed.length + unwanted < candidates, unwantedOf };
}

/**
 * Ends jobs of these accounts whose testimonials are gone, or wait for nothing any more, among the
 * first of each that are due: a space with thousands of videos may have been deleted.
 */
export async function endUnwanted(accountIds: string[], now?: Date): Promise<void> {
  const due = Prisma.sql`j.next_attempt_at <= ${instant(now)}`;
  // One that begins anew between look and lock has another time of making, and stays.
  await database().$executeRaw`
    WITH first AS MATERIALIZED (
      SELECT found.* FROM unnest(${accountIds}::uuid[]) account (user_id) CROSS JOIN LATERAL (
        SELECT j.testimonial_id, j.created_at FROM transcription_jobs j
        WHERE j.user_id = account.user_id AND ${due}
        ORDER BY j.next_attempt_at, j.testimonial_id LIMIT ${limits.endedAtOnce}::int
      ) found
    )
    DELETE FROM transcription_jobs WHERE testimonial_id IN (
      SELECT j.testimonial_id FROM first
      JOIN transcription_jobs j USING (testimonial_id, created_at)
      LEFT JOIN testimonials t ON t.id = j.testimonial_id AND t.user_id = j.user_id
        AND t.transcription = 'pending'
      WHERE t.id IS NULL AND ${due}
      FOR UPDATE OF j SKIP LOCKED
    )`;
}

/**
 * Puts the next try off. Returns false, having done nothing, where that would be more than a day after
 * the job was made, or the job is another's by now. A job that a clock made which was ahead counts as
 * made now.
 */
export async function putOff(
  { testimonialId, accountId, token }: TranscriptionJob,
  delayMs: number,
  now?: Date,
): Promise<boolean> {
  const next = Prisma.sql`${instant(now)} + ${delayMs}::float8 * interval '1 millisecond'`;
  const changed = await database().$executeRaw`
    UPDATE transcription_jobs j SET lease_token = NULL, next_attempt_at = ${next},
      created_at = least(j.created_at, ${instant(now)})
    WHERE j.testimonial_id = ${testimonialId}::uuid AND j.user_id = ${accountId}::uuid
      AND j.lease_token = ${token}::uuid
      AND ${next} <= j.created_at + ${retryForMs}::float8 * interval '1 millisecond'`;
  return changed > 0;
}

/** Gives a job back, for whoever comes next; a try that was called off does not count. */
export async function giveBack(
  { testimonialId, accountId, token }: TranscriptionJob,
  { counts, now }: { counts: boolean; now?: Date | undefined },
): Promise<void> {
  await database().$executeRaw`
    UPDATE transcription_jobs j SET lease_token = NULL, next_attempt_at = ${instant(now)},
      attempt_count = j.attempt_count - ${counts ? 0 : 1}::int
    WHERE j.testimonial_id = ${testimonialId}::uuid AND j.user_id = ${accountId}::uuid
      AND j.lease_token = ${token}::uuid`;
}

import { changesOf, noteChanges, subjects } from '../../audit/note';
import { database } from '../../database/client';
import { Prisma } from '../../database/generated/client';
import { instant, wireInstantColumn } from '../../database/sql/instants';
import { queueMails } from '../../mail/queue';
import { mailSettings } from '../../mail/settings';
import { lockFreeEndpoints } from '../endpoint-locks';
import { webhookLimits } from '../limits';
import type { AttemptResult } from './attempt';
import { retryDelayMs } from './backoff';
import type { Claimed } from './claim';

/** A claimed delivery, and what became of the attempt; without a result it was not attempted. */
export type Outcome = { claimed: Claimed; result: AttemptResult | undefined };

const gone = 410;

/**
 * Writes outcomes down and gives the leases back, all in one statement. Each is fenced by its
 * lease: what is no longer ours, because the lease ran out or the endpoint was deleted, is left as
 * it is. So is one that somebody else has locked, or whose endpoint is to change and is locked, which
 * must not keep those of other accounts waiting: its lease stays. Returns how many were recorded.
 *
 * Endpoints are locked before deliveries and in the order of their ids, as their deletion locks
 * them, each in its turn; those whose state does not change are not locked at all.
 *
 * Of an endpoint that has failed for a day, and of one that is switched off, a mail is queued in the
 * same statement, once in each streak of failures; and that it is switched off is noted for the account.
 */
export async function recordOutcomes(
  outcomes: Outcome[],
  options: { now?: Date | undefined; random: () => number },
): Promise<number> {
  const at = instant(options.now);
  const lines = outcomes.map((outcome) => toLine(outcome, options.random));
  const { attempts, days } = webhookLimits.switchOffAfter;
  const { mailAfterHours, keptAttempts } = webhookLimits;
  const mailsAreSent = mailSettings() !== undefined;
  const [recorded] = await database().$queryRaw<{ count: number }[]>`
    WITH line AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(lines)}::json) AS line (
        id uuid, token uuid, endpoint_id uuid, attempted boolean, state delivery_state,
        delay_ms float8, step int, counts boolean, gone boolean,
        started_at timestamptz, duration_ms int, status smallint, error_class text,
        headers json, body text, url text
      )
    ),
    judging AS MATERIALIZED (
      SELECT e.id FROM webhook_endpoints e
      WHERE e.id IN (SELECT endpoint_id FROM line WHERE counts AND error_class IS NOT NULL OR gone)
        OR (e.failing_since IS NOT NULL AND e.id IN (SELECT endpoint_id FROM line WHERE counts))
      ORDER BY e.id
    ),
    ${lockFreeEndpoints('judging')},
    endpoint AS MATERIALIZED (
      SELECT e.id, e.url, e.failing_since, e.failure_count, e.enabled, e.mailed_failing_since
      FROM webhook_endpoints e
      WHERE e.id IN (SELECT id FROM turn)
      ORDER BY e.id FOR NO KEY UPDATE SKIP LOCKED
    ),
    free AS MATERIALIZED (
      SELECT d.id FROM webhook_deliveries d
      JOIN line ON d.id = line.id AND d.lease_token = line.token
      WHERE (SELECT count(*) FROM endpoint) >= 0 AND (
        line.endpoint_id IN (SELECT id FROM endpoint)
        OR line.endpoint_id NOT IN (SELECT id FROM judging)
      )
      FOR NO KEY UPDATE OF d SKIP LOCKED
    ),
    recorded AS (
      UPDATE webhook_deliveries d SET
        state = line.state,
        schedule_step = line.step,
        attempt_count = d.attempt_count + line.attempted::int,
        next_attempt_at = CASE WHEN line.state = 'pending'
          THEN ${at} + line.delay_ms * interval '1 millisecond' END,
        response_status = CASE WHEN line.attempted THEN line.status ELSE d.response_status END,
        error_class = CASE WHEN line.attempted THEN line.error_class ELSE d.error_class END,
        last_attempt_at = coalesce(line.started_at, d.last_attempt_at),
        interruption_count = CASE WHEN line.attempted THEN 0 ELSE d.interruption_count END,
        lease_token = NULL,
        leased_at = NULL,
        leased_until = NULL
      FROM line
      WHERE d.id = line.id AND d.lease_token = line.token AND d.id IN (SELECT id FROM free)
      RETURNING line.*, d.attempt_count
    ),
    attempt AS (
      INSERT INTO webhook_attempts
        (delivery_id, number, started_at, duration_ms, response_status, error_class,
          response_headers, response_body, url)
      SELECT id, attempt_count, started_at, duration_ms, status, error_class, headers, body,
        left(url, ${webhookLimits.urlCharacters}::int)
      FROM recorded WHERE attempted
    ),
    forgotten AS (
      DELETE FROM webhook_attempts a USING recorded
      WHERE a.delivery_id = recorded.id AND recorded.attempt_count > ${keptAttempts}::int
        AND a.number <= recorded.attempt_count - ${keptAttempts}::int
    ),
    tally AS (
      -- What another address answered, which the endpoint had before, says nothing of this one.
      SELECT e.id AS endpoint_id, bool_or(r.gone) AS gone,
        bool_or(r.counts AND r.error_class IS NULL) AS succeeded,
        count(*) FILTER (WHERE r.counts AND r.error_class IS NOT NULL)::int AS failures,
        min(r.started_at) FILTER (WHERE r.counts AND r.error_class IS NOT NULL) AS failing_since
      FROM recorded r JOIN endpoint e ON e.id = r.endpoint_id AND e.url = r.url
      WHERE r.attempted GROUP BY e.id
    ),
    streak AS (
      SELECT e.id, e.enabled, e.mailed_failing_since, tally.gone,
        -- A streak that a clock began which was ahead begins anew once that is set right.
        CASE WHEN NOT tally.succeeded THEN least(e.failing_since, tally.failing_since) END
          AS failing_since,
        CASE WHEN NOT tally.succeeded THEN e.failure_count + tally.failures ELSE 0 END
          AS failure_count
      FROM tally JOIN endpoint e ON e.id = tally.endpoint_id
    ),
    verdict AS MATERIALIZED (
      SELECT streak.*, judged.reason,
        judged.reason IS NULL AND streak.enabled AND ${mailsAreSent}::boolean
          AND streak.failing_since <= ${at} - make_interval(hours => ${mailAfterHours}::int)
          AND streak.mailed_failing_since IS DISTINCT FROM streak.failing_since AS is_to_be_told
      FROM streak CROSS JOIN LATERAL (
        SELECT CASE WHEN streak.gone THEN 'gone'
          WHEN streak.failure_count >= ${attempts}::int
            AND streak.failing_since <= ${at} - make_interval(days => ${days}::int)
          THEN 'failing' END AS reason
      ) judged
    ),
    judged AS (
      UPDATE webhook_endpoints e SET
        failing_since = verdict.failing_since,
        failure_count = verdict.failure_count,
        mailed_failing_since = CASE WHEN verdict.is_to_be_told THEN verdict.failing_since
          ELSE e.mailed_failing_since END,
        enabled = e.enabled AND verdict.reason IS NULL,
        disabled_reason = CASE WHEN e.enabled THEN verdict.reason ELSE e.disabled_reason END
      FROM verdict
      WHERE e.id = verdict.id
      RETURNING e.id, e.user_id, e.url, verdict.reason, verdict.failing_since,
        verdict.failure_count, verdict.is_to_be_told,
        verdict.enabled AND verdict.reason IS NOT NULL AS is_switched_off,
        ${mailsAreSent}::boolean AS mails_are_sent
    ),
    told_failing AS (${queueMails('endpoint-failing', toldIf('is_to_be_told'))}),
    told_off AS (
      ${queueMails('endpoint-switched-off', toldIf('is_switched_off AND mails_are_sent'))}
    ),
    noted_off AS (${noteChanges({ type: 'service' }, switchedOff)})
    SELECT count(*)::int AS count FROM recorded`;
  return recorded?.count ?? 0;
}

/** The leases of those of these deliveries that are still there, by their ids. */
export async function leasesOf(ids: string[]): Promise<Map<string, string | null>> {
  const rows = await database().webhookDelivery.findMany({
    where: { id: { in: ids } },
    select: { id: true, leaseToken: true },
  });
  return new Map(rows.map(({ id, leaseToken }) => [id, leaseToken]));
}

/** What the account is told of those that the service switches off. */
const switchedOff = Prisma.sql`
  SELECT ${subjects('webhook_endpoint', 'judged')}, 'switched_off' AS action,
    ${changesOf({ disabled_reason: ['NULL::text', 'reason'] })} AS changes
  FROM judged WHERE is_switched_off`;

/**
 * What is told of endpoints, as `endpointMails` reads it, to the person: of a test account's to the
 * account it belongs to, whose bound on mails holds. `condition` is the name of a column.
 */
function toldIf(condition: string): Prisma.Sql {
  return Prisma.raw(`
    SELECT coalesce(users.live_user_id, users.id) AS user_id, NULL::text AS recipient,
      json_build_object(
        'endpoint_id', judged.id, 'url', url, 'reason', reason, 'failures', failure_count,
        'failing_since', ${wireInstantColumn('coalesce(failing_since, statement_timestamp())')},
        'mode', CASE WHEN users.live_user_id IS NULL THEN 'live' ELSE 'test' END
      ) AS data
    FROM judged JOIN users ON users.id = judged.user_id WHERE ${condition}`);
}

function toLine({ claimed, result }: Outcome, random: () => number) {
  const { id, token, endpointId, step } = claimed;
  const line = { id, token, endpoint_id: endpointId };
  if (!result)
    return { ...line, ...pending(step, 0), attempted: false, counts: false, gone: false };
  return {
    ...line,
    ...next(claimed, result, random),
    attempted: true,
    counts: claimed.countsForStreak,
    // Whatever was sent: the receiver asks for nothing more, and need not look at what it is.
    gone: result.status === gone,
    started_at: claimed.startedAt,
    duration_ms: result.durationMs,
    status: result.status,
    error_class: result.errorClass,
    headers: result.responseHeaders,
    body: result.responseBody,
    url: claimed.url,
  };
}

function next(
  { step, event }: Claimed,
  { errorClass, status, retryAfter, answeredAt }: AttemptResult,
  random: () => number,
) {
  if (errorClass === null) return { state: 'succeeded', step };
  const isFinal = event.isTest || status === gone;
  const delayMs = isFinal
    ? undefined
    : retryDelayMs({ step, status, retryAfter }, answeredAt, random);
  return delayMs === undefined ? { state: 'failed', step } : pending(step + 1, delayMs);
}

function pending(step: number, delayMs: number) {
  return { state: 'pending', step, delay_ms: delayMs };
}

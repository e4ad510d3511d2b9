import { database } from '../../database/client';
import { Prisma } from '../../database/generated/client';
import { instant, wireInstantColumn } from '../../database/sql/instants';
import { walk } from '../../database/sql/walk';
import { webhookLimits } from '../limits';
import type { StoredEvent } from '../payload';
import type { Sendable } from './attempt';

/** A delivery that this process, and no other, may send now. */
export type Claimed = Sendable & {
  id: string;
  /** Whose places it takes: of test data, those of the account it belongs to. */
  accountId: string;
  token: string;
  /** Failed attempts of this round. */
  step: number;
  /** Whether the outcome counts for the endpoint's failure streak. */
  countsForStreak: boolean;
};

/** How many of the oldest due deliveries are looked at before the walk over the endpoints. */
const windowSize = 256;

/** What is pending, of an enabled endpoint or not, and sent by nobody. Serves the partial indexes. */
const waiting = Prisma.sql`d.state = 'pending' AND d.lease_token IS NULL`;

/** When a lease ends that begins, or is renewed, at an instant. */
export function leaseEnd(at: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`${at} + make_interval(secs => ${webhookLimits.leaseMs / 1000}::float8)`;
}

/**
 * Takes due deliveries under a lease, as long as places are `free`: no more of an endpoint than its
 * share, and of an account, together with what it has under way in this process, no more than places
 * stay free. So one account gets half of an idle process at most, two get a third each, and there is
 * room left for whoever comes next, however slow the others' receivers are. Accounts take turns, and
 * their endpoints within them; test data counts for the account it belongs to. `mayHaveMore` says that
 * something was left for the sake of others.
 *
 * One statement, whose cost depends on the places and not on how much is pending: it looks at the
 * oldest due; only where these are many and cannot be sent, because their endpoints or accounts are
 * busy or paused, it walks over the endpoints that have something due, from `start` (any UUID) once
 * around, stepping from one to the next by the index. The rows are chosen first and locked last, so
 * nothing is locked that is not taken.
 */
export async function claimDue(options: {
  free: number;
  /** How many attempts accounts have under way in this process, by their ids. */
  underWay: Map<string, number>;
  token: string;
  start: string;
  now?: Date | undefined;
}): Promise<{ claimed: Claimed[]; mayHaveMore: boolean }> {
  const { free, token, start } = options;
  const ofAccounts = [...options.underWay].map(([account_id, count]) => ({ account_id, count }));
  const at = instant(options.now);
  const due = Prisma.sql`${waiting} AND d.next_attempt_at <= ${at}`;
  const rows = await database().$queryRaw<Row[]>`
    WITH RECURSIVE under_way AS MATERIALIZED (
      SELECT endpoint_id, count(*)::int AS count FROM webhook_deliveries
      WHERE lease_token IS NOT NULL GROUP BY endpoint_id
    ),
    of_account AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(ofAccounts)}::json)
        AS of_account (account_id uuid, count int)
    ),
    oldest AS MATERIALIZED (
      SELECT d.id, d.endpoint_id, d.next_attempt_at FROM webhook_deliveries d
      WHERE ${due} ORDER BY d.next_attempt_at LIMIT ${windowSize}
    ),
    open AS MATERIALIZED (
      SELECT seen.endpoint_id, room.*
      FROM (SELECT DISTINCT endpoint_id FROM oldest) seen
      CROSS JOIN LATERAL (${room(Prisma.sql`seen.endpoint_id`, free)}) room
    ),
    from_oldest AS MATERIALIZED (
      SELECT ranked.id, ranked.endpoint_id, ranked.rank, ranked.next_attempt_at,
        open.account_id, open.has
      FROM (
        SELECT oldest.*,
          row_number() OVER (PARTITION BY endpoint_id ORDER BY next_attempt_at, id) AS rank
        FROM oldest
      ) ranked
      JOIN open ON open.endpoint_id = ranked.endpoint_id AND ranked.rank <= open.left
    ),
    ${walk({
      table: 'webhook_deliveries d',
      column: 'endpoint_id',
      due,
      start,
      orderBy: ['next_attempt_at'],
      isWanted: Prisma.sql`(SELECT count(*) FROM oldest) = ${windowSize}
        AND (SELECT count(*) FROM from_oldest) < ${free}`,
    })},
    from_walk AS MATERIALIZED (
      SELECT found.id, found.rank, found.next_attempt_at, room.account_id, room.has
      FROM walk
      CROSS JOIN LATERAL (${room(Prisma.sql`walk.endpoint_id`, free)}) room
      CROSS JOIN LATERAL (
        SELECT d.id, d.next_attempt_at,
          row_number() OVER (ORDER BY d.next_attempt_at, d.id) AS rank
        FROM webhook_deliveries d WHERE d.endpoint_id = walk.endpoint_id AND ${due}
        ORDER BY d.next_attempt_at LIMIT room.left
      ) found
      WHERE walk.endpoint_id NOT IN (SELECT endpoint_id FROM from_oldest)
      LIMIT ${free}
    ),
    candidate AS MATERIALIZED (
      SELECT id, rank, next_attempt_at, account_id, has FROM from_oldest
      UNION ALL SELECT id, rank, next_attempt_at, account_id, has FROM from_walk
    ),
    chosen AS MATERIALIZED (
      SELECT id FROM (
        SELECT id, would_have, row_number() OVER (ORDER BY would_have, next_attempt_at, id) AS turn
        FROM (
          SELECT id, next_attempt_at, has + row_number() OVER (
            PARTITION BY account_id ORDER BY rank, next_attempt_at, id
          ) AS would_have
          FROM candidate
        ) of_account
      ) in_turn
      WHERE would_have <= ${free}::int - turn + 1
    ),
    locked AS MATERIALIZED (
      SELECT d.id FROM webhook_deliveries d
      -- Due still: another process may have sent it meanwhile, and put it off.
      WHERE d.id IN (SELECT id FROM chosen) AND ${due}
      FOR UPDATE SKIP LOCKED
    ),
    leased AS (
      UPDATE webhook_deliveries d SET lease_token = ${token}::uuid,
        leased_at = ${at}, leased_until = ${leaseEnd(at)}
      FROM locked WHERE d.id = locked.id
      RETURNING d.id, d.endpoint_id, d.event_id, d.schedule_step, d.resent
    )
    SELECT leased.id, leased.endpoint_id AS "endpointId", leased.schedule_step AS step, endpoint.url,
      coalesce(account.live_user_id, account.id) AS "accountId", endpoint.encrypted_secret AS secret,
      (extract(epoch FROM ${at}) * 1000)::float8 AS "startedAtMs",
      (SELECT count(*) FROM candidate)::int AS candidates,
      CASE WHEN endpoint.previous_secret_expires_at > ${at}
        THEN endpoint.previous_encrypted_secret END AS "previousSecret",
      NOT leased.resent AND NOT event.is_test AS "countsForStreak",
      event.id AS "eventId", event.type, event.sequence, event.is_test AS "isTest",
      event.data::text AS data,
      ${Prisma.raw(wireInstantColumn('event.created_at'))} AS timestamp
    FROM leased
    JOIN webhook_endpoints endpoint ON endpoint.id = leased.endpoint_id
    JOIN users account ON account.id = endpoint.user_id
    JOIN webhook_events event ON event.id = leased.event_id`;
  return {
    claimed: rows.map((row) => toClaimed(row, token)),
    mayHaveMore: rows.length < (rows[0]?.candidates ?? 0),
  };
}

/**
 * How many more attempts at an endpoint may be under way; no row where it is paused or full, or its
 * account is, which `has` so many of them in this process. OFFSET has it looked up endpoint by
 * endpoint: joined at once, all of them would be read.
 */
function room(endpointId: Prisma.Sql, free: number): Prisma.Sql {
  const { inFlightPerEndpoint, inFlightPerFailingEndpoint } = webhookLimits;
  return Prisma.sql`
    SELECT coalesce(u.live_user_id, u.id) AS account_id, coalesce(of_account.count, 0) AS has,
      least(share.size - coalesce(under_way.count, 0),
        ${free}::int - coalesce(of_account.count, 0)) AS left
    FROM webhook_endpoints e
    JOIN users u ON u.id = e.user_id
    CROSS JOIN LATERAL (
      SELECT CASE WHEN e.failing_since IS NULL THEN ${inFlightPerEndpoint}::int
        ELSE ${inFlightPerFailingEndpoint}::int END AS size
    ) share
    LEFT JOIN under_way ON under_way.endpoint_id = e.id
    LEFT JOIN of_account ON of_account.account_id = coalesce(u.live_user_id, u.id)
    WHERE e.id = ${endpointId} AND e.enabled AND share.size > coalesce(under_way.count, 0)
      AND ${free}::int > coalesce(of_account.count, 0)
    OFFSET 0`;
}

/** How soon to look again where something is due and could not be taken. */
const overdueMs = 100;

/**
 * When the next delivery becomes due or the next lease runs out, in milliseconds from now; undefined
 * where none does. What became due in the last second counts, for the claim may have been too early
 * to see it; what is due for longer waits for room.
 */
export async function nextDueInMs(now?: Date): Promise<number | undefined> {
  const at = instant(now);
  const [next] = await database().$queryRaw<{ in_ms: number | null }[]>`
    SELECT (extract(epoch FROM least(
      (SELECT d.next_attempt_at FROM webhook_deliveries d
        WHERE ${waiting} AND d.next_attempt_at > ${at} - interval '1 second'
        ORDER BY d.next_attempt_at LIMIT 1),
      (SELECT min(d.leased_until) FROM webhook_deliveries d WHERE d.lease_token IS NOT NULL)
    ) - ${at}) * 1000)::float8 AS in_ms`;
  if (next?.in_ms == null) return undefined;
  return next.in_ms > 0 ? next.in_ms : overdueMs;
}

type Row = Omit<Claimed, 'token' | 'startedAt' | 'encryptedSecrets' | 'event'> &
  Omit<StoredEvent, 'id'> & {
    eventId: string;
    startedAtMs: number;
    secret: Uint8Array;
    previousSecret: Uint8Array | null;
    candidates: number;
  };

function toClaimed(row: Row, token: string): Claimed {
  const { id, accountId, endpointId, url, step, countsForStreak, secret, previousSecret } = row;
  const { eventId, type, timestamp, sequence, isTest, data } = row;
  return {
    id,
    token,
    accountId,
    endpointId,
    url,
    step,
    countsForStreak,
    startedAt: new Date(row.startedAtMs),
    encryptedSecrets: previousSecret ? [secret, previousSecret] : [secret],
    event: { id: eventId, type, timestamp, sequence, isTest, data },
  };
}

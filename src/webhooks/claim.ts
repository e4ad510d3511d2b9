import { database } from '../database/client';
import { Prisma } from '../database/generated/client';
import { wireInstantColumn } from '../database/sql';
import type { EventType } from '../outbox/event-types';
import type { Sendable } from './attempt';
import { webhookLimits } from './limits';

/** A delivery that this process, and no other, may send now. */
export type Claimed = Sendable & {
  id: string;
  token: string;
  /** Failed attempts of this round. */
  step: number;
  /** Whether the outcome counts for the endpoint's failure streak. */
  countsForStreak: boolean;
};

/** How many of the oldest due deliveries are looked at before the walk over the endpoints. */
const windowSize = 256;

const noUuid = '00000000-0000-0000-0000-000000000000';

/**
 * The instant by which the queue decides: the database's clock, on which several processes agree;
 * tests give their own. Stable within a statement, so that an index can be searched with it.
 */
export function instant(now: Date | undefined): Prisma.Sql {
  return now ? Prisma.sql`${now}::timestamptz` : Prisma.sql`statement_timestamp()`;
}

/** What is pending, of an enabled endpoint or not, and sent by nobody. Serves the partial indexes. */
const waiting = Prisma.sql`d.state = 'pending' AND d.lease_token IS NULL`;

/**
 * Takes up to `limit` due deliveries, each under a lease of 60 seconds, so many of an endpoint that
 * no more than its share is under way. One statement, whose cost depends on the limit and not on
 * how much is pending: it looks at the oldest due; only where these are many and cannot be sent,
 * because their endpoints are busy or paused, it walks over the endpoints that have something due,
 * from `start` (any UUID) once around, stepping from one to the next by the index.
 * The rows are chosen first and locked last, so nothing is locked that is not taken.
 */
export async function claimDue(options: {
  limit: number;
  token: string;
  start: string;
  now?: Date | undefined;
}): Promise<Claimed[]> {
  const { limit, token, start } = options;
  const at = instant(options.now);
  const due = Prisma.sql`${waiting} AND d.next_attempt_at <= ${at}`;
  const rows = await database().$queryRaw<Row[]>`
    WITH RECURSIVE under_way AS MATERIALIZED (
      SELECT endpoint_id, count(*)::int AS count FROM webhook_deliveries
      WHERE lease_token IS NOT NULL GROUP BY endpoint_id
    ),
    oldest AS MATERIALIZED (
      SELECT d.id, d.endpoint_id, d.next_attempt_at FROM webhook_deliveries d
      WHERE ${due} ORDER BY d.next_attempt_at LIMIT ${windowSize}
    ),
    open AS MATERIALIZED (
      SELECT seen.endpoint_id, room.left
      FROM (SELECT DISTINCT endpoint_id FROM oldest) seen
      CROSS JOIN LATERAL (${room(Prisma.sql`seen.endpoint_id`)}) room
    ),
    from_oldest AS MATERIALIZED (
      SELECT ranked.id, ranked.endpoint_id, ranked.rank, ranked.next_attempt_at
      FROM (
        SELECT oldest.*,
          row_number() OVER (PARTITION BY endpoint_id ORDER BY next_attempt_at, id) AS rank
        FROM oldest
      ) ranked
      JOIN open ON open.endpoint_id = ranked.endpoint_id AND ranked.rank <= open.left
    ),
    walk (is_second_half, endpoint_id) AS (
      SELECT false, ${start}::uuid
      WHERE (SELECT count(*) FROM oldest) = ${windowSize}
        AND (SELECT count(*) FROM from_oldest) < ${limit}
      UNION ALL
      SELECT next.* FROM walk CROSS JOIN LATERAL (
        (SELECT walk.is_second_half, d.endpoint_id FROM webhook_deliveries d
          WHERE ${due} AND d.endpoint_id > walk.endpoint_id
          ORDER BY d.endpoint_id, d.next_attempt_at LIMIT 1)
        UNION ALL
        (SELECT true, ${noUuid}::uuid WHERE NOT walk.is_second_half)
        LIMIT 1
      ) next
      WHERE NOT (next.is_second_half AND next.endpoint_id > ${start}::uuid)
    ),
    from_walk AS MATERIALIZED (
      SELECT found.id, found.rank, found.next_attempt_at
      FROM walk
      CROSS JOIN LATERAL (${room(Prisma.sql`walk.endpoint_id`)}) room
      CROSS JOIN LATERAL (
        SELECT d.id, d.next_attempt_at,
          row_number() OVER (ORDER BY d.next_attempt_at, d.id) AS rank
        FROM webhook_deliveries d WHERE d.endpoint_id = walk.endpoint_id AND ${due}
        ORDER BY d.next_attempt_at LIMIT room.left
      ) found
      WHERE walk.endpoint_id NOT IN (SELECT endpoint_id FROM from_oldest)
      LIMIT ${limit}
    ),
    chosen AS MATERIALIZED (
      SELECT id, rank, next_attempt_at FROM from_oldest
      UNION ALL SELECT id, rank, next_attempt_at FROM from_walk
      ORDER BY rank, next_attempt_at LIMIT ${limit}
    ),
    locked AS MATERIALIZED (
      SELECT d.id FROM webhook_deliveries d
      WHERE d.id IN (SELECT id FROM chosen) AND ${waiting}
      FOR UPDATE SKIP LOCKED
    ),
    leased AS (
      UPDATE webhook_deliveries d SET lease_token = ${token}::uuid,
        leased_until = ${at} + make_interval(secs => ${webhookLimits.leaseMs / 1000}::float8)
      FROM locked WHERE d.id = locked.id
      RETURNING d.id, d.endpoint_id, d.event_id, d.schedule_step, d.resent
    )
    SELECT leased.id, leased.endpoint_id, leased.schedule_step, endpoint.url,
      endpoint.encrypted_secret,
      CASE WHEN endpoint.previous_secret_expires_at > ${at}
        THEN endpoint.previous_encrypted_secret END AS previous_encrypted_secret,
      NOT leased.resent AND NOT event.is_test AS counts_for_streak,
      event.id AS event_id, event.type, event.sequence, event.is_test, event.data::text AS data,
      ${Prisma.raw(wireInstantColumn('event.created_at'))} AS timestamp
    FROM leased
    JOIN webhook_endpoints endpoint ON endpoint.id = leased.endpoint_id
    JOIN webhook_events event ON event.id = leased.event_id`;
  return rows.map((row) => toClaimed(row, token));
}

/**
 * How many more attempts at an endpoint may be under way; no row where it is paused or full. OFFSET
 * has it looked up endpoint by endpoint: joined at once, all of them would be read.
 */
function room(endpointId: Prisma.Sql): Prisma.Sql {
  const { inFlightPerEndpoint, inFlightPerFailingEndpoint } = webhookLimits;
  return Prisma.sql`
    SELECT share.size - coalesce(under_way.count, 0) AS left
    FROM webhook_endpoints e
    CROSS JOIN LATERAL (
      SELECT CASE WHEN e.failing_since IS NULL THEN ${inFlightPerEndpoint}::int
        ELSE ${inFlightPerFailingEndpoint}::int END AS size
    ) share
    LEFT JOIN under_way ON under_way.endpoint_id = e.id
    WHERE e.id = ${endpointId} AND e.enabled AND share.size > coalesce(under_way.count, 0)
    OFFSET 0`;
}

/** When the next delivery becomes due, in milliseconds from now; undefined where none waits. */
export async function nextDueInMs(now?: Date): Promise<number | undefined> {
  const at = instant(now);
  const [next] = await database().$queryRaw<{ in_ms: number }[]>`
    SELECT (extract(epoch FROM d.next_attempt_at - ${at}) * 1000)::float8 AS in_ms
    FROM webhook_deliveries d
    WHERE ${waiting} AND d.next_attempt_at > ${at} ORDER BY d.next_attempt_at LIMIT 1`;
  return next?.in_ms;
}

type Row = {
  id: string;
  endpoint_id: string;
  schedule_step: number;
  url: string;
  encrypted_secret: Uint8Array;
  previous_encrypted_secret: Uint8Array | null;
  counts_for_streak: boolean;
  event_id: string;
  type: EventType;
  sequence: number;
  is_test: boolean;
  data: string;
  timestamp: string;
};

function toClaimed(row: Row, token: string): Claimed {
  const { encrypted_secret: secret, previous_encrypted_secret: previous } = row;
  return {
    id: row.id,
    token,
    endpointId: row.endpoint_id,
    url: row.url,
    encryptedSecrets: previous ? [secret, previous] : [secret],
    step: row.schedule_step,
    countsForStreak: row.counts_for_streak,
    event: {
      id: row.event_id,
      type: row.type,
      timestamp: row.timestamp,
      sequence: row.sequence,
      isTest: row.is_test,
      data: row.data,
    },
  };
}

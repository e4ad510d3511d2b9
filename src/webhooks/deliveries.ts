import { ApiError } from '../api/errors';
import { inHeavyTurn } from '../api/heavy-turns';
import { database } from '../database/client';
import { Prisma } from '../database/generated/client';
import { readLog } from '../database/read-heavy';
import { readRows } from '../database/read-rows';
import { atOrAfter, atOrBefore, wireInstantColumn, wireInstants } from '../database/sql/instants';
import { behind, logPage } from '../database/sql/log-cursor';
import type { Writer } from '../database/writer';
import type { EventType } from '../outbox/event-types';
import type {
  Attempt,
  Delivery,
  DeliveryPage,
  DeliveryWithAttempts,
  ListDeliveriesInput,
  ReplayFailedInput,
} from './delivery-schema';
import { getEnabledEndpoint, getEndpoint } from './endpoints';
import { webhookLimits } from './limits';
import { payload } from './payload';
import { unsignedRequestHeaders } from './signature';
import { testEventData } from './test-event';

const wireColumns = Prisma.sql`d.id, d.endpoint_id, d.event_id, event.type AS event_type,
  event.is_test, event.resource_id,
  left(coalesce(event.data ->> 'submitter_name', event.data ->> 'name'), 100) AS resource_name, d.state, d.attempt_count, d.response_status, d.error_class,
  ${wireInstants('d', 'next_attempt_at', 'last_attempt_at', 'created_at')}`;

/**
 * One page of an endpoint's deliveries, newest first. What is looked for among them takes its turn: all
 * of a month may have to be read for it.
 * @throws ApiError WEBHOOK_ENDPOINT_NOT_FOUND, and as `inHeavyTurn`
 */
export async function listDeliveries(
  accountId: string,
  input: ListDeliveriesInput,
): Promise<DeliveryPage> {
  const page = Prisma.sql`
    SELECT ${wireColumns}
    FROM webhook_deliveries d
    JOIN webhook_events event ON event.id = d.event_id
    WHERE ${filter(accountId, input)}
    ORDER BY d.created_at DESC, d.id DESC LIMIT ${input.limit + 1}`;
  const { state, event_type, resource_id } = input;
  const rows = await (state || event_type || resource_id
    ? inHeavyTurn(accountId, () => readLog<Delivery>(page))
    : readRows<Delivery>(page));
  if (rows.length === 0) await getEndpoint(accountId, input.endpoint_id);
  return logPage(rows, input.limit, ({ created_at }) => created_at);
}

type DeliveryRow = Delivery & {
  data: string;
  sequence: number;
  timestamp: string;
  read_at: string;
};

/** @throws ApiError DELIVERY_NOT_FOUND */
export async function getDelivery(
  accountId: string,
  deliveryId: string,
): Promise<DeliveryWithAttempts> {
  const db = database();
  const [[row], newestAttempts] = await Promise.all([
    db.$queryRaw<DeliveryRow[]>`
      SELECT ${wireColumns}, event.data::text AS data, event.sequence,
        ${Prisma.raw(wireInstantColumn('event.created_at'))} AS timestamp,
        ${Prisma.raw(wireInstantColumn('statement_timestamp()'))} AS read_at
      FROM webhook_deliveries d
      JOIN webhook_events event ON event.id = d.event_id
      WHERE d.id = ${deliveryId}::uuid AND event.user_id = ${accountId}::uuid`,
    db.$queryRaw<Attempt[]>`
      SELECT a.number, ${wireInstants('a', 'started_at')},
        a.duration_ms, a.response_status, a.error_class, a.response_headers, a.response_body, a.url
      FROM webhook_attempts a WHERE a.delivery_id = ${deliveryId}::uuid
      ORDER BY a.number DESC LIMIT ${webhookLimits.keptAttempts}::int`,
  ]);
  if (!row) throw new ApiError('DELIVERY_NOT_FOUND');
  const attempts = newestAttempts.toReversed();
  const { data, sequence, timestamp, read_at, ...delivery } = row;
  const { event_id: id, event_type: type, is_test: isTest } = delivery;
  const body = payload({ id, type, timestamp, sequence, isTest, data });
  const sentAt = new Date(attempts.at(-1)?.started_at ?? read_at);
  return {
    ...delivery,
    request_headers: unsignedRequestHeaders({ id, body, sentAt }),
    payload: body,
    attempts,
  };
}

/**
 * Sends a delivery once more, whatever became of it: the same id and bytes, signed anew, with a new
 * round of retries. What is being sent right now is left to finish.
 * @throws ApiError DELIVERY_NOT_FOUND, WEBHOOK_ENDPOINT_PAUSED
 */
export async function resendDelivery(accountId: string, id: string): Promise<Delivery> {
  const delivery = await getDelivery(accountId, id);
  await getEnabledEndpoint(accountId, delivery.endpoint_id);
  await database().$executeRaw`
    UPDATE webhook_deliveries d SET ${startedAnew}
    WHERE d.id = ${id}::uuid AND d.lease_token IS NULL`;
  return getDelivery(accountId, id);
}

/**
 * How many deliveries `replayFailed` would send again, counted up to the 1,000 that it takes at once. It
 * takes its turn as what is looked for does.
 * @throws ApiError WEBHOOK_ENDPOINT_NOT_FOUND, and as `inHeavyTurn`
 */
export async function countReplayable(
  accountId: string,
  input: ReplayFailedInput,
): Promise<{ count: number; has_more: boolean }> {
  const limit = webhookLimits.replayBatch;
  const counting = Prisma.sql`
    SELECT count(*)::int AS count FROM (${replayable(accountId, input)} LIMIT ${limit + 1}) failed`;
  const [found] = await inHeavyTurn(accountId, () => readLog<{ count: number }>(counting));
  const count = found?.count ?? 0;
  if (count === 0) await getEndpoint(accountId, input.endpoint_id);
  return { count: Math.min(count, limit), has_more: count > limit };
}

/**
 * Sends again what failed of an endpoint's deliveries created since an instant, the oldest first
 * and up to 1,000 of them; also what has failed and waits for its next try, which is made now. Not what
 * was sent as a test, which is sent once. It takes its turn among the heavy reads of the account.
 * @throws ApiError WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_ENDPOINT_PAUSED, and as `inHeavyTurn`
 */
export async function replayFailed(
  accountId: string,
  input: ReplayFailedInput,
): Promise<{ replayed: number; has_more: boolean }> {
  const limit = webhookLimits.replayBatch;
  const [counts] = await inHeavyTurn(accountId, async () => {
    await getEnabledEndpoint(accountId, input.endpoint_id);
    return database().$queryRaw<{ found: number; replayed: number }[]>`
      WITH failed AS MATERIALIZED (
        ${replayable(accountId, input)} ORDER BY d.created_at, d.id LIMIT ${limit + 1}
      ),
      replayed AS (
        UPDATE webhook_deliveries d SET ${startedAnew}
        WHERE d.id IN (SELECT id FROM failed LIMIT ${limit}) AND ${hasFailed}
        RETURNING d.id
      )
      SELECT (SELECT count(*) FROM failed)::int AS found,
        (SELECT count(*) FROM replayed)::int AS replayed`;
  });
  const { found = 0, replayed = 0 } = counts ?? {};
  return { replayed, has_more: found > limit };
}

/**
 * Sends an event that nothing caused, marked as a test, on the way that every event takes. It is
 * tried once and no part of a streak of failures; only 410 switches the endpoint off, as ever.
 * @throws ApiError WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_ENDPOINT_PAUSED
 */
export async function sendTestEvent(
  accountId: string,
  input: { id: string; event_type?: EventType | undefined },
  { write }: Writer,
): Promise<Delivery> {
  const { eventTypes } = await getEnabledEndpoint(accountId, input.id);
  const type = input.event_type ?? eventTypes[0] ?? 'testimonial.created';
  const data = testEventData(accountId, type, new Date());
  const [sent] = await write<Delivery>(Prisma.sql`
    WITH endpoint AS MATERIALIZED (
      SELECT id, user_id FROM webhook_endpoints
      WHERE id = ${input.id}::uuid AND user_id = ${accountId}::uuid
      FOR KEY SHARE
    ),
    event AS (
      INSERT INTO webhook_events (user_id, type, resource_id, sequence, data, is_test)
      SELECT user_id, ${type}, ${data.id}::uuid, 1, ${JSON.stringify(data)}::json, true FROM endpoint
      RETURNING id, user_id, type, is_test, resource_id, data
    ),
    counted AS (
      UPDATE users SET stored_bytes = stored_bytes + event_bytes(event.data)
      FROM event WHERE users.id = event.user_id
    ),
    d AS (
      INSERT INTO webhook_deliveries (event_id, endpoint_id)
      SELECT event.id, endpoint.id FROM event JOIN endpoint ON endpoint.user_id = event.user_id
      RETURNING *
    )
    SELECT ${wireColumns} FROM d JOIN event ON event.id = d.event_id`);
  if (!sent) throw new ApiError('WEBHOOK_ENDPOINT_NOT_FOUND');
  return sent;
}

const startedAnew = Prisma.sql`state = 'pending', resent = true, schedule_step = 0, interruption_count = 0,
  next_attempt_at = clock_timestamp()`;

/** For good, or with another try to come, which nobody has begun. */
const hasFailed = Prisma.sql`(d.state = 'failed' OR (d.state = 'pending' AND d.attempt_count > 0
  AND d.lease_token IS NULL AND d.next_attempt_at > statement_timestamp()))`;

function replayable(accountId: string, input: ReplayFailedInput): Prisma.Sql {
  return Prisma.sql`
    SELECT d.id FROM webhook_deliveries d
    JOIN webhook_endpoints e ON e.id = d.endpoint_id AND e.user_id = ${accountId}::uuid
    JOIN webhook_events event ON event.id = d.event_id AND NOT event.is_test
    WHERE d.endpoint_id = ${input.endpoint_id}::uuid AND ${hasFailed}
      AND ${atOrAfter(Prisma.sql`d.created_at`, input.since)}`;
}

function filter(accountId: string, input: ListDeliveriesInput): Prisma.Sql {
  const conditions = [
    Prisma.sql`d.endpoint_id = ${input.endpoint_id}::uuid`,
    // The endpoint's account is its events' account.
    Prisma.sql`event.user_id = ${accountId}::uuid`,
  ];
  if (input.state) conditions.push(Prisma.sql`d.state = ${input.state}::delivery_state`);
  if (input.event_type) conditions.push(Prisma.sql`event.type = ${input.event_type}`);
  if (input.resource_id) {
    conditions.push(Prisma.sql`event.resource_id = ${input.resource_id}::uuid`);
  }
  if (input.created_from) {
    conditions.push(atOrAfter(Prisma.sql`d.created_at`, input.created_from));
  }
  if (input.created_to) conditions.push(atOrBefore(Prisma.sql`d.created_at`, input.created_to));
  if (input.cursor) {
    conditions.push(behind(input.cursor, Prisma.sql`d.created_at`, Prisma.sql`d.id`));
  }
  return Prisma.join(conditions, ' AND ');
}

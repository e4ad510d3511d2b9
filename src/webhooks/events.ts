import { Prisma } from '../database/generated/client';
import type { EventType } from './schema';

/**
 * Writes an event, and a pending delivery to every endpoint that wants it, as part of the statement
 * that makes the change: both are committed, or neither, and it costs no round trip.
 *
 * Endpoints are locked against deletion: one that vanished in between would fail the change.
 *
 * Returns common table expressions to stand in a WITH after one named `changed`, which has a row
 * per changed testimonial: `id`, `user_id`, `event_sequence`, and `data` as JSON, the testimonial
 * as the API returns it.
 */
export function emit(type: EventType): Prisma.Sql {
  return Prisma.sql`
    event AS (
      INSERT INTO webhook_events (user_id, type, testimonial_id, sequence, data)
      SELECT user_id, ${type}::text, id, event_sequence, data FROM changed
      RETURNING id, user_id
    ),
    subscribed AS MATERIALIZED (
      SELECT endpoint.id, endpoint.user_id FROM webhook_endpoints endpoint
      WHERE endpoint.user_id IN (SELECT user_id FROM changed)
        AND endpoint.enabled AND ${type}::text = ANY (endpoint.event_types)
      FOR KEY SHARE
    ),
    delivery AS (
      INSERT INTO webhook_deliveries (event_id, endpoint_id)
      SELECT event.id, subscribed.id
      FROM event JOIN subscribed ON subscribed.user_id = event.user_id
    )`;
}

import { Prisma } from '../database/generated/client';
import type { EventType } from './event-types';

/**
 * Writes events, and a pending delivery of each to every endpoint that wants it, as part of the
 * statement that makes the change: all are committed, or none, and it costs no round trip.
 *
 * Returns common table expressions to stand in a WITH after the one named `source` (trusted text,
 * never a client's), which has a row per event:
 *   - `user_id`: the account
 *   - `resource_id`: what the event is about, a testimonial or anything else with a UUID
 *   - `sequence`: the number of the event among those about this resource, from 1
 *   - `data`: the resource as JSON
 *
 * The names of the expressions are made of the source's and the type's, so that a statement may
 * emit as often as it likes, from one source or from several.
 *
 * Endpoints are locked against deletion: one that vanished in between would fail the change.
 */
export function emit(type: EventType, source: string): Prisma.Sql {
  const [rows, event, subscribed, delivery] = names(type, source);
  return Prisma.sql`
    ${event} AS (
      INSERT INTO webhook_events (user_id, type, resource_id, sequence, data)
      SELECT user_id, ${type}::text, resource_id, sequence, data FROM ${rows}
      RETURNING id, user_id
    ),
    ${subscribed} AS MATERIALIZED (
      SELECT endpoint.id, endpoint.user_id FROM webhook_endpoints endpoint
      WHERE endpoint.user_id IN (SELECT user_id FROM ${rows})
        AND endpoint.enabled AND ${type}::text = ANY (endpoint.event_types)
      FOR KEY SHARE
    ),
    ${delivery} AS (
      INSERT INTO webhook_deliveries (event_id, endpoint_id)
      SELECT event.id, subscribed.id
      FROM ${event} event JOIN ${subscribed} subscribed ON subscribed.user_id = event.user_id
    )`;
}

/** Postgres cuts longer names off, and two might become one. */
const identifierCharacters = 63;

function names(type: EventType, source: string) {
  const prefix = `${source}_${type.replaceAll('.', '_')}`;
  return [source, `${prefix}_event`, `${prefix}_subscribed`, `${prefix}_delivery`].map((name) => {
    if (name.length > identifierCharacters) throw new Error(`The name ${name} is too long`);
    return Prisma.raw(name);
  });
}

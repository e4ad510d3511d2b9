import { Prisma } from '../database/generated/client';
import type { EventType } from './event-types';

/**
 * Writes events, and a pending delivery of each to every endpoint that wants it, as part of the
 * statement that makes the change: all are committed, or none, and it costs no round trip.
 *
 * Returns common table expressions to stand in a WITH after the sources, once in a statement. A
 * source is the name of an expression (trusted text, never a client's) that has a row per event:
 *   - `user_id`: the account
 *   - `resource_id`: what the event is about, a testimonial or anything else with a UUID
 *   - `sequence`: the number of the event among those about this resource, from 1
 *   - `data`: the resource as JSON
 *
 * Each event gets the account's next position, and its bytes are counted. That locks the row of the
 * account until the transaction ends: sources are read to their end before, so that of all rows that
 * a change locks it comes last, and no circle of waiting arises.
 *
 * Endpoints are locked against deletion: one that vanished in between would fail the change.
 */
export function emit(...sources: [EventType, source: string][]): Prisma.Sql {
  const types = sources.map(([type]) => type);
  const rows = sources.map(
    ([type, source]) => Prisma.sql`
      SELECT user_id, ${type}::text AS type, resource_id, sequence, data
      FROM ${Prisma.raw(source)}`,
  );
  return Prisma.sql`
    emitted AS MATERIALIZED (${Prisma.join(rows, ' UNION ALL ')}),
    event_log AS (
      UPDATE users SET event_position = event_position + added.count,
        stored_bytes = stored_bytes + added.bytes
      FROM (
        SELECT user_id, count(*) AS count, sum(event_bytes(data)) AS bytes
        FROM emitted GROUP BY user_id
      ) added
      WHERE users.id = added.user_id
      RETURNING users.id, users.event_position - added.count AS position
    ),
    event AS (
      INSERT INTO webhook_events (user_id, type, resource_id, sequence, data, position)
      SELECT emitted.user_id, type, resource_id, sequence, data,
        event_log.position + row_number() OVER (PARTITION BY emitted.user_id)
      FROM emitted JOIN event_log ON event_log.id = emitted.user_id
      RETURNING id, user_id, type
    ),
    subscribed AS MATERIALIZED (
      SELECT endpoint.id, endpoint.user_id, endpoint.event_types FROM webhook_endpoints endpoint
      WHERE endpoint.user_id IN (SELECT user_id FROM emitted)
        AND endpoint.enabled AND endpoint.event_types && ${types}::text[]
      FOR KEY SHARE
    ),
    event_delivery AS (
      INSERT INTO webhook_deliveries (event_id, endpoint_id)
      SELECT event.id, subscribed.id
      FROM event JOIN subscribed ON subscribed.user_id = event.user_id
        AND event.type = ANY (subscribed.event_types)
    )`;
}

/**
 * A source for `emit` called `changed`, or as `name` says, of an expression that returned a resource
 * with its columns and `event_sequence`: the event's data has the fields named, but for the `optional`
 * one where that is NULL. With `after`, it waits for all rows of that expression too, where it takes
 * locks. All names are trusted text.
 */
export function changed(
  source: string,
  fields: readonly string[],
  { name = 'changed', optional, after }: { name?: string; optional?: string; after?: string } = {},
): Prisma.Sql {
  const ofRow = (names: readonly string[]) => names.map((name) => `row.${name}`).join(', ');
  const data = optional
    ? `CASE WHEN row.${optional} IS NULL THEN to_json(bare) ELSE to_json(wire) END`
    : 'to_json(wire)';
  const bare = `, LATERAL (SELECT ${ofRow(fields.filter((field) => field !== optional))}) bare`;
  return Prisma.raw(`${name} AS (
      SELECT row.user_id, row.id AS resource_id, row.event_sequence AS sequence,
        ${data} AS data
      FROM ${source} row, LATERAL (SELECT ${ofRow(fields)}) wire
        ${optional ? bare : ''}
        ${after ? `, (SELECT count(*) FROM ${after}) before` : ''}
    )`);
}

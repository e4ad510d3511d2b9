import { ApiError } from '../api/errors';
import { Prisma } from '../database/generated/client';
import { readRows } from '../database/read-rows';
import { wireInstantColumn } from '../database/sql/instants';
import type { EventType } from '../outbox/event-types';
import type { Place } from './cursor';
import type { FeedEvent } from './schema';

/** How far one page looks for events of rare types, so that its cost is bounded. */
const windowLength = 2_000;

export type FeedPage = {
  events: FeedEvent[];
  /** Where the next page begins. */
  next: Place;
  hasMore: boolean;
};

type FeedRow = FeedEvent & {
  position: number | null;
  /** Of the account's newest event. */
  head: number;
  trimmed: number;
  /** Of the event that has the position of the place asked for. */
  known_id: string | null;
  end_position: number;
  end_id: string | null;
};

/** As the body of a delivery has it, in its order. */
const envelope = Prisma.raw(
  `e.id, e.type, ${wireInstantColumn('e.created_at')} AS timestamp, e.sequence, e.data`,
);

/**
 * Up to `limit` events behind a place, in the order in which they were committed; without a place,
 * from the oldest that is kept. One statement, and the same cost wherever in the feed.
 * @throws ApiError CURSOR_EXPIRED where events behind the place were removed, or the place is one of
 * a past that a backup has undone
 */
export async function readFeed(
  accountId: string,
  from: Place | undefined,
  { types, limit }: { types?: EventType[] | undefined; limit: number },
): Promise<FeedPage> {
  const start = from
    ? Prisma.sql`${from.position}::bigint`
    : Prisma.sql`log.trimmed_event_position`;
  const ofTypes = types ? Prisma.sql`AND e.type = ANY (${types})` : Prisma.empty;
  // One row at least, and the page's order is kept.
  const rows = await readRows<FeedRow>(Prisma.sql`
    SELECT log.event_position::float8 AS head, log.trimmed_event_position::float8 AS trimmed,
      known.id AS known_id, bounds.last::float8 AS end_position, ending.id AS end_id, page.*
    FROM users log
    CROSS JOIN LATERAL (
      SELECT ${start} AS first, least(log.event_position, ${start} + ${windowLength}) AS last
    ) bounds
    LEFT JOIN webhook_events known ON known.user_id = log.id AND known.position = bounds.first
    LEFT JOIN webhook_events ending ON ending.user_id = log.id AND ending.position = bounds.last
    LEFT JOIN LATERAL (
      SELECT e.position::float8 AS position, ${envelope} FROM webhook_events e
      WHERE e.user_id = log.id AND e.position > bounds.first AND e.position <= bounds.last ${ofTypes}
      ORDER BY e.position LIMIT ${limit}
    ) page ON true
    WHERE log.id = ${accountId}::uuid`);
  const [feed] = rows;
  if (!feed) return { events: [], next: { position: 0, id: null }, hasMore: false };
  const { head, trimmed, known_id } = feed;
  const isOther = from?.id && known_id !== null && from.id !== known_id;
  if (from && (from.position < trimmed || from.position > head || isOther)) {
    throw new ApiError('CURSOR_EXPIRED');
  }
  const found = rows.filter((row) => row.position !== null);
  const last = found.at(-1);
  const next =
    last && found.length === limit
      ? { position: Number(last.position), id: last.id }
      : { position: Number(feed.end_position), id: feed.end_id };
  return { events: found.map(event), next, hasMore: next.position < head };
}

/** The place behind the account's newest event. */
export async function feedEnd(accountId: string): Promise<Place> {
  const [end] = await readRows<Place>(Prisma.sql`
    SELECT log.event_position::float8 AS position, e.id
    FROM users log
    LEFT JOIN webhook_events e ON e.user_id = log.id AND e.position = log.event_position
    WHERE log.id = ${accountId}::uuid`);
  return end ?? { position: 0, id: null };
}

/** @throws ApiError EVENT_NOT_FOUND */
export async function getEvent(accountId: string, id: string): Promise<FeedEvent> {
  const [row] = await readRows<FeedEvent>(Prisma.sql`
    SELECT ${envelope} FROM webhook_events e
    WHERE e.id = ${id}::uuid AND e.user_id = ${accountId}::uuid AND NOT e.is_test`);
  if (!row) throw new ApiError('EVENT_NOT_FOUND');
  return row;
}

function event({ id, type, timestamp, sequence, data }: FeedRow): FeedEvent {
  return { id, type, timestamp, sequence, data };
}

import type { EventType } from '../outbox/event-types';

/** An event as stored, with its data as the JSON text that the database keeps. */
export type StoredEvent = {
  id: string;
  type: EventType;
  timestamp: string;
  sequence: number;
  isTest: boolean;
  data: string;
};

/**
 * The body of a delivery. Made of what is stored and nothing else, so that every attempt at an
 * event sends the same bytes.
 */
export function payload({ id, type, timestamp, sequence, isTest, data }: StoredEvent): string {
  const envelope = JSON.stringify({
    id,
    type,
    timestamp,
    sequence,
    ...(isTest && { is_test: true }),
  });
  return `${envelope.slice(0, -1)},"data":${data}}`;
}

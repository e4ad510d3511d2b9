import { type EventType, eventTypes } from '@/src/outbox/event-types';

/** When each event is sent, for people who choose among them. */
export const eventDescriptions: Record<EventType, string> = {
  'testimonial.created': 'A testimonial came in, by the API or an import',
  'testimonial.approved': 'It was approved and may be shown',
  'testimonial.rejected': 'It was rejected',
  'testimonial.deleted': 'It was deleted; the event carries it as it was',
  'testimonial.updated':
    'It was changed otherwise: a text, a rating, back to pending, a transcript, or that there will be none',
  'space.created': 'A space was created',
  'space.updated': 'A space was changed',
  'space.deleted': 'A space was deleted, with all of its testimonials',
};

/** `created, approved, space.deleted`; or that all are meant. */
export function describeEvents(types: EventType[]): string {
  if (eventTypes.every((type) => types.includes(type))) return 'All events';
  return types.map((type) => type.replace('testimonial.', '')).join(', ');
}

/**
 * Every event type, once: schemas, the document, the choices in the dashboard and test events follow
 * from this list, or do not compile. Contract, section 6.
 */
export const eventTypes = [
  'testimonial.created',
  'testimonial.approved',
  'testimonial.rejected',
  'testimonial.deleted',
] as const;

export type EventType = (typeof eventTypes)[number];

/** Those that the contract has, section 6. What the dashboard proposes for a new endpoint. */
export const contractEventTypes = [
  'testimonial.created',
  'testimonial.approved',
  'testimonial.rejected',
  'testimonial.deleted',
] as const;

/**
 * Every event type, once: schemas, the document, the choices in the dashboard and test events follow
 * from this list, or do not compile.
 */
export const eventTypes = [
  ...contractEventTypes,
  'testimonial.updated',
  'space.created',
  'space.updated',
  'space.deleted',
] as const;

export type EventType = (typeof eventTypes)[number];

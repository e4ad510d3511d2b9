import type { EventType } from '../outbox/event-types';
import { exampleSpace, type Space } from '../spaces/schema';
import {
  exampleTestimonial,
  type IncludingTestimonial,
  type Testimonial,
} from '../testimonials/schema';

type ExampleData = (IncludingTestimonial & { previous_status?: Testimonial['status'] }) | Space;

/** The data of an event of the type: for the published document, and for test events. */
export const exampleData: Record<EventType, ExampleData> = {
  'testimonial.created': exampleTestimonial,
  'testimonial.approved': { ...exampleTestimonial, previous_status: 'pending' },
  'testimonial.rejected': { ...exampleTestimonial, status: 'rejected', previous_status: 'pending' },
  'testimonial.deleted': exampleTestimonial,
  'testimonial.updated': {
    ...exampleTestimonial,
    transcription: 'none',
    language: null,
    previous_status: 'approved',
  },
  'space.created': exampleSpace,
  'space.updated': exampleSpace,
  'space.deleted': exampleSpace,
};

/** The whole event, for the published document. */
export function exampleEvent(type: EventType) {
  return {
    id: '3f2b8c1e-9a54-4c61-8f0e-2b7d6a5c4e3d',
    type,
    timestamp: '2026-01-15T10:31:00.654321+00:00',
    sequence: type.endsWith('.created') ? 1 : 2,
    data: exampleData[type],
  };
}

import { randomUUID } from 'node:crypto';
import type { EventType } from '../outbox/event-types';
import { exampleTestimonial, type Testimonial } from '../testimonials/schema';

/** The data of a test event: a made-up testimonial, in the shape of a real one. */
export function testEventData(
  accountId: string,
  type: EventType,
  now: Date,
): Testimonial & { previous_status?: Testimonial['status'] } {
  const createdAt = now.toISOString().replace('Z', '000+00:00');
  const data: Testimonial = {
    ...exampleTestimonial,
    id: randomUUID(),
    space_id: randomUUID(),
    user_id: accountId,
    status: type === 'testimonial.rejected' ? 'rejected' : 'approved',
    text_content: 'This is a test event. No testimonial was changed.',
    created_at: createdAt,
    updated_at: createdAt,
  };
  const setsStatus = type === 'testimonial.approved' || type === 'testimonial.rejected';
  return setsStatus ? { ...data, previous_status: 'pending' } : data;
}

import { randomUUID } from 'node:crypto';
import type { EventType } from '../outbox/event-types';
import type { Testimonial } from '../testimonials/schema';

/** The data of a test event: a made-up testimonial, in the shape of a real one. */
export function testEventData(
  accountId: string,
  type: EventType,
  now: Date,
): Testimonial & { previous_status?: Testimonial['status'] } {
  const createdAt = now.toISOString().replace('Z', '000+00:00');
  const data: Testimonial = {
    id: randomUUID(),
    space_id: randomUUID(),
    user_id: accountId,
    type: 'text',
    status: type === 'testimonial.rejected' ? 'rejected' : 'approved',
    submitter_name: 'Ada Park',
    submitter_email: 'ada@example.com',
    submitter_company: 'Northwind',
    submitter_role: 'Head of Support',
    submitter_avatar_url: null,
    text_content: 'This is a test event. No testimonial was changed.',
    video_url: null,
    video_thumbnail_url: null,
    rating: 5,
    ai_transcript: null,
    shares: 0,
    created_at: createdAt,
    updated_at: createdAt,
  };
  const setsStatus = type === 'testimonial.approved' || type === 'testimonial.rejected';
  return setsStatus ? { ...data, previous_status: 'pending' } : data;
}

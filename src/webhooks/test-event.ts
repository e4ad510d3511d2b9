import { randomUUID } from 'node:crypto';
import { wireInstantOf } from '../api/fields';
import type { EventType } from '../outbox/event-types';
import { exampleData } from './example';

/** The data of a test event: a made-up testimonial or space, in the shape of a real one. */
export function testEventData(accountId: string, type: EventType, now: Date) {
  const createdAt = wireInstantOf(now);
  const data = exampleData[type];
  const made = {
    id: randomUUID(),
    user_id: accountId,
    created_at: createdAt,
    updated_at: createdAt,
  };
  return 'space_id' in data
    ? {
        ...data,
        ...made,
        space_id: randomUUID(),
        text_content: 'This is a test event. No testimonial was changed.',
      }
    : { ...data, ...made, description: 'This is a test event. No space was changed.' };
}

import { z } from 'zod';
import { wireId, wireInstant } from '../api/fields';
import type { EventType } from '../outbox/event-types';
import { space } from '../spaces/schema';
import {
  testimonial,
  testimonialStatus,
  testimonialWithTranscription,
} from '../testimonials/schema';

const before = {
  previous_status: testimonialStatus.meta({
    description: 'What the status was before; the same where it was not set, or to what it was.',
  }),
};

/** A changed testimonial as the API returns it, and what its status was before. */
const testimonialStatusChange = testimonial.extend(before).meta({ id: 'TestimonialStatusChange' });

/** The same with its transcription, whose change this may be. */
const testimonialChange = testimonialWithTranscription
  .extend(before)
  .meta({ id: 'TestimonialChange' });

/** An event in the feed, and the body of a delivery. Standard Webhooks: `id` equals the `webhook-id` header. */
function event<Type extends EventType, Data extends z.ZodType>(
  type: Type,
  data: Data,
  description: string,
) {
  return z
    .object({
      id: wireId.meta({ description: 'Stays the same over retries; use it to drop duplicates.' }),
      type: z.literal(type),
      timestamp: wireInstant.meta({ description: 'When the event happened.' }),
      sequence: z.int().min(1).meta({
        format: 'int32',
        description:
          'Counts the events of one testimonial or space from 1, also those that you have not chosen. Deliveries may overtake each other: drop one whose sequence is lower than the last you handled.',
      }),
      is_test: z
        .literal(true)
        .optional()
        .meta({ description: 'Sent by hand to try the endpoint out; nothing changed.' }),
      data,
    })
    .meta({ id: eventSchemaName(type), description });
}

/** `TestimonialCreatedEvent`, as the published document names the schema of an event type. */
export function eventSchemaName(type: EventType): string {
  return `.${type}.event`.replace(/\W(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** What a receiver is sent, by event type. Contract, section 6. */
export const webhookEvents = {
  'testimonial.created': event('testimonial.created', testimonial, 'A testimonial was created'),
  'testimonial.approved': event(
    'testimonial.approved',
    testimonialStatusChange,
    'A testimonial was approved',
  ),
  'testimonial.rejected': event(
    'testimonial.rejected',
    testimonialStatusChange,
    'A testimonial was rejected',
  ),
  'testimonial.deleted': event('testimonial.deleted', testimonial, 'A testimonial was deleted'),
  'testimonial.updated': event(
    'testimonial.updated',
    testimonialChange,
    'A testimonial was changed otherwise, set to `pending`, transcribed, or will not be',
  ),
  'space.created': event('space.created', space, 'A space was created'),
  'space.updated': event('space.updated', space, 'A space was changed'),
  'space.deleted': event(
    'space.deleted',
    space,
    'A space was deleted, and all of its testimonials with it, which have no events of their own',
  ),
} satisfies { [Type in EventType]: z.ZodObject<{ type: z.ZodLiteral<Type> }> };

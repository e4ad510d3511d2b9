import { z } from 'zod';
import { wireId, wireInstant } from '../api/fields';
import type { EventType } from '../outbox/event-types';
import { testimonial, testimonialStatus } from '../testimonials/schema';

/** Where a status was set, the testimonial as the API returns it, and what its status was before. */
const testimonialStatusChange = testimonial
  .extend({
    previous_status: testimonialStatus.meta({
      description: 'What the status was before; the same where it was set to what it was.',
    }),
  })
  .meta({ id: 'TestimonialStatusChange' });

/** The body of a delivery. Standard Webhooks: `id` equals the `webhook-id` header. */
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
          'Counts the events of one testimonial from 1. Deliveries may overtake each other: drop one whose sequence is lower than the last you handled.',
      }),
      is_test: z
        .literal(true)
        .optional()
        .meta({ description: 'Sent by hand to try the endpoint out; no testimonial changed.' }),
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
} satisfies { [Type in EventType]: z.ZodObject<{ type: z.ZodLiteral<Type> }> };

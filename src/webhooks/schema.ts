import { z } from 'zod';
import { wireInstant } from '../api/fields';
import { testimonial, testimonialStatus } from '../testimonials/schema';

/** Contract, section 6. */
export const eventType = z.enum([
  'testimonial.created',
  'testimonial.approved',
  'testimonial.rejected',
  'testimonial.deleted',
]);

export type EventType = z.infer<typeof eventType>;

/** The body of a delivery. Standard Webhooks: `id` equals the `webhook-id` header. */
export const webhookEvent = z
  .looseObject({
    id: z.uuid().meta({ description: 'Stays the same over retries; use it to drop duplicates.' }),
    type: eventType,
    timestamp: wireInstant,
    sequence: z.int().min(1).meta({
      description:
        'Counts the events of one testimonial from 1. Deliveries may overtake each other: drop one whose sequence is lower than the last you handled.',
    }),
    data: testimonial
      .extend({
        previous_status: testimonialStatus
          .optional()
          .meta({ description: 'Where a status was set: what it was before.' }),
      })
      .meta({
        id: 'TestimonialEventData',
        description: 'The testimonial as the API returns it; of a deleted one, as it was.',
      }),
  })
  .meta({ id: 'WebhookEvent' });

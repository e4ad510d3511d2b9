import { z } from 'zod';
import { changesAnything, text, uuid, wireId, wireInstant } from '../api/fields';
import { eventTypes } from '../outbox/event-types';
import { webhookLimits } from './limits';

/** Contract, section 6. */
export const eventType = z.enum(eventTypes);

/** Why the service switched an endpoint off: it answered 410, or it did nothing but fail for days. */
export const disabledReason = z.enum(['gone', 'failing']);

export type DisabledReason = z.infer<typeof disabledReason>;

export const int32 = z.int().meta({ format: 'int32' });

/** Of a delivery. */
export const deliveryState = z.enum(['pending', 'succeeded', 'failed']);

const fields = z.object({
  id: wireId,
  url: z.string(),
  description: z.string().nullable(),
  event_types: z.array(eventType),
  status: z.enum(['enabled', 'paused', 'switched_off']).meta({
    description: '`paused` by you, `switched_off` by the service. Neither is sent anything.',
  }),
  disabled_reason: disabledReason.nullable().meta({
    description:
      'Why it was switched off: it answered 410 (`gone`), or failed for days (`failing`).',
  }),
  failing_since: wireInstant
    .nullable()
    .meta({ description: 'The first of an unbroken row of failed attempts.' }),
  failure_count: int32.meta({ description: 'How many there are in that row.' }),
  previous_secret_expires_at: wireInstant.nullable().meta({
    description: 'Until then the secret before the last rotation signs too, and no older one.',
  }),
  created_at: wireInstant,
  updated_at: wireInstant,
  last_day: z
    .object({
      pending: int32,
      succeeded: int32,
      failed: int32,
      success_share: z.number().nullable().meta({
        description: 'Succeeded of those tried at least once, 0 to 1; null where none was tried.',
      }),
    })
    .meta({
      description: `The deliveries created in the last 24 hours, tests among them; where there are more, the newest ${webhookLimits.countedDeliveries.toLocaleString('en')}.`,
    }),
  last_delivery: z
    .object({ id: wireId, state: deliveryState, created_at: wireInstant })
    .nullable()
    .meta({ description: 'The newest one.' }),
});

export type WebhookEndpoint = z.infer<typeof fields>;

/** For the published document. */
export const exampleEndpoint = {
  id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  url: 'https://hooks.northwind.example/testimonials',
  description: 'Posts into our chat',
  event_types: ['testimonial.created', 'testimonial.approved'],
  status: 'enabled',
  disabled_reason: null,
  failing_since: null,
  failure_count: 0,
  previous_secret_expires_at: null,
  created_at: '2026-01-15T10:30:00.123456+00:00',
  updated_at: '2026-01-15T10:30:00.123456+00:00',
  last_day: { pending: 0, succeeded: 12, failed: 0, success_share: 1 },
  last_delivery: {
    id: '9a1c3e5f-2b4d-4f60-8a7b-6c5d4e3f2a1b',
    state: 'succeeded',
    created_at: '2026-01-15T10:31:00.654321+00:00',
  },
} satisfies WebhookEndpoint;

/** An endpoint on the wire, and in the dashboard. */
export const webhookEndpoint = fields.meta({ id: 'WebhookEndpoint', examples: [exampleEndpoint] });

/** As many as an account may have. */
export const webhookEndpoints = z.array(webhookEndpoint).max(webhookLimits.endpointsPerAccount);

const secret = z.string().meta({
  description:
    'The signing secret, `whsec_` and base64. This answer alone has it: store it where you verify.',
});

/** The only time a signing secret is shown. */
export const endpointWithSecret = fields.extend({ secret }).meta({
  id: 'WebhookEndpointWithSecret',
  examples: [
    {
      ...exampleEndpoint,
      last_day: { pending: 0, succeeded: 0, failed: 0, success_share: null },
      last_delivery: null,
      secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
    },
  ],
});

const endpointId = uuid.meta({ description: 'The id of the webhook endpoint.' });

export const endpointIdInput = z.object({ id: endpointId });

const endpointFields = {
  // Longer ones too come to where URLs are read, which tells the dashboard what is wrong.
  url: text(0, 10_000).meta({
    format: 'uri',
    maxLength: webhookLimits.urlCharacters,
    description:
      'Must be https and public, without a user name or a password. Answer with any 2xx within 15 seconds; redirects are not followed.',
  }),
  event_types: z.array(eventType).min(1).max(100).meta({ description: 'What it is sent.' }),
  description: text(0, 500).trim().nullish(),
};

export const createEndpointInput = z
  .object({
    ...endpointFields,
    enabled: z
      .boolean()
      .default(true)
      .meta({ description: '`false` makes it paused: it is sent nothing until it is resumed.' }),
  })
  .meta({
    examples: [
      {
        url: exampleEndpoint.url,
        event_types: exampleEndpoint.event_types,
        description: exampleEndpoint.description,
      },
    ],
  });

export type CreateEndpointInput = z.output<typeof createEndpointInput>;

export const updateEndpointInput = z
  .object({
    id: endpointId,
    ...z.object(endpointFields).partial().shape,
    enabled: z
      .boolean()
      .meta({
        description: '`false` pauses; `true` resumes, also what the service has switched off.',
      })
      .optional(),
  })
  .refine(changesAnything)
  .meta({ examples: [{ enabled: false }] });

export type EndpointChanges = Omit<z.output<typeof updateEndpointInput>, 'id'>;

export const sendTestInput = z
  .object({
    id: endpointId,
    event_type: eventType
      .meta({ description: 'Without it, the first one that the endpoint has chosen.' })
      .optional(),
  })
  .meta({ examples: [{ event_type: 'testimonial.approved' }] });

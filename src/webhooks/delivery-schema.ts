import { z } from 'zod';
import { utcInstant, uuid, wireId, wireInstant } from '../api/fields';
import { logCursor, logPageOf } from '../database/sql/log-cursor';
import { exampleEvent } from './example';
import { webhookLimits } from './limits';
import { deliveryState, eventType, exampleEndpoint, int32 } from './schema';

/** What became of an attempt that did not succeed. */
const errorClass = z.enum([
  'url_refused',
  'address_refused',
  'dns',
  'connection',
  'tls',
  'timeout',
  'invalid_answer',
  'redirect',
  'status',
  /** The process that made the attempt ended before it was recorded. */
  'interrupted',
  /** The stored secret cannot be read with the present SECRET_KEY. */
  'signing_secret',
]);

export type ErrorClass = z.infer<typeof errorClass>;

const deliveryFields = z.object({
  id: wireId,
  endpoint_id: wireId,
  event_id: wireId,
  event_type: eventType,
  is_test: z.boolean(),
  resource_id: wireId.meta({ description: 'The testimonial or space that the event is about.' }),
  resource_name: z.string().nullable().meta({
    description: 'Who submitted the testimonial, or the name of the space, as the event tells it.',
  }),
  state: deliveryState,
  attempt_count: int32,
  response_status: int32.nullable().meta({ description: 'Of the last attempt.' }),
  error_class: errorClass
    .nullable()
    .meta({ description: 'What was wrong with the last attempt; null where nothing was.' }),
  next_attempt_at: wireInstant.nullable().meta({
    description:
      'Null unless pending; in the past while it is being sent, waits its turn, or is paused.',
  }),
  last_attempt_at: wireInstant.nullable(),
  created_at: wireInstant,
});

export type Delivery = z.infer<typeof deliveryFields>;

const exampleDelivery = {
  id: exampleEndpoint.last_delivery.id,
  endpoint_id: exampleEndpoint.id,
  event_id: '3f2b8c1e-9a54-4c61-8f0e-2b7d6a5c4e3d',
  event_type: 'testimonial.approved',
  is_test: true,
  resource_id: 'c1a8e7d2-5f4b-4a3c-9d2e-1f0a9b8c7d6e',
  resource_name: 'Ada Park',
  state: 'pending',
  attempt_count: 0,
  response_status: null,
  error_class: null,
  next_attempt_at: '2026-01-15T10:31:00.654321+00:00',
  last_attempt_at: null,
  created_at: '2026-01-15T10:31:00.654321+00:00',
} satisfies Delivery;

/** One event to one endpoint; status and error are those of the last attempt. */
export const delivery = deliveryFields.meta({
  id: 'WebhookDelivery',
  examples: [exampleDelivery],
});

/** Name, in lower case, and value. */
const headerLine = z.tuple([z.string(), z.string()]).meta({
  description: 'The name, in lower case, and the value.',
  // As a tuple, many generators of clients make of it a list of anything.
  override: ({ jsonSchema }) => {
    delete jsonSchema.prefixItems;
    Object.assign(jsonSchema, { items: { type: 'string' }, minItems: 2, maxItems: 2 });
  },
});

export type HeaderLine = z.infer<typeof headerLine>;

const attempt = z
  .object({
    number: int32,
    started_at: wireInstant,
    duration_ms: int32,
    response_status: int32.nullable(),
    error_class: errorClass.nullable(),
    response_headers: z.array(headerLine).nullable().meta({
      description:
        'Of the answer, up to 64 of them and 8 KiB; null where none came or none were kept.',
    }),
    response_body: z.string().nullable().meta({
      description: 'The first 16 KiB of the answer; null where none came or none was kept.',
    }),
    url: z.string().nullable().meta({
      description: 'Where it went; null for attempts from before this was kept.',
    }),
  })
  .meta({ id: 'WebhookAttempt' });

export type Attempt = z.infer<typeof attempt>;

const withAttempts = {
  request_headers: z.array(headerLine).meta({
    // It is not kept, and to make it anew takes the secret.
    description: 'What the last attempt sent, or the first would now, without the signature.',
  }),
  payload: z.string().meta({ description: 'The exact body that is sent.' }),
  attempts: z
    .array(attempt)
    .meta({ description: `The newest ${webhookLimits.keptAttempts}, the oldest of them first.` }),
};

const fieldsWithAttempts = deliveryFields.extend(withAttempts);

export type DeliveryWithAttempts = z.infer<typeof fieldsWithAttempts>;

const exampleSent = {
  ...exampleDelivery,
  state: 'succeeded',
  attempt_count: 1,
  response_status: 200,
  next_attempt_at: null,
  last_attempt_at: '2026-01-15T10:31:00.700000+00:00',
  request_headers: [['webhook-id', exampleDelivery.event_id]],
  payload: JSON.stringify({ ...exampleEvent('testimonial.approved'), is_test: true }),
  attempts: [
    {
      number: 1,
      started_at: '2026-01-15T10:31:00.700000+00:00',
      duration_ms: 84,
      response_status: 200,
      error_class: null,
      response_headers: [['content-type', 'text/plain']],
      response_body: 'ok',
      url: exampleEndpoint.url,
    },
  ],
} satisfies DeliveryWithAttempts;

/** With the request that is sent, and every attempt. */
export const deliveryWithAttempts = fieldsWithAttempts.meta({
  id: 'WebhookDeliveryWithAttempts',
  examples: [exampleSent],
});

export const deliveryIdInput = z.object({
  id: uuid.meta({ description: 'The id of the delivery.' }),
});

/** Newest first. `cursor` is the `next_cursor` of the page before. */
export const listDeliveriesInput = z.object({
  endpoint_id: uuid,
  state: deliveryState.optional(),
  event_type: eventType.optional(),
  resource_id: uuid.optional(),
  created_from: utcInstant.optional(),
  created_to: utcInstant.optional(),
  limit: z.int().min(1).max(100).default(50),
  cursor: logCursor.nullish(),
});

export type ListDeliveriesInput = z.output<typeof listDeliveriesInput>;

export const deliveryPage = logPageOf(delivery);

export type DeliveryPage = z.infer<typeof deliveryPage>;

/** Of an endpoint: every failed delivery created since, up to 1,000 at a time, oldest first. */
export const replayFailedInput = z.object({ endpoint_id: uuid, since: utcInstant });

export type ReplayFailedInput = z.output<typeof replayFailedInput>;

export const replayableCount = z.object({
  count: z.int(),
  /** Whether there are more than one replay takes. */
  has_more: z.boolean(),
});

export const replayFailedAnswer = z.object({
  replayed: z.int(),
  /** Whether failed ones remain, for another call. */
  has_more: z.boolean(),
});

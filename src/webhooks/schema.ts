import { z } from 'zod';
import { text, utcInstant, uuid, wireInstant } from '../api/fields';
import { eventTypes } from '../outbox/event-types';

/** Contract, section 6. */
export const eventType = z.enum(eventTypes);

/** Why the service switched an endpoint off: it answered 410, or it did nothing but fail for days. */
export const disabledReason = z.enum(['gone', 'failing']);

/** What a dashboard shows of an endpoint. */
export const webhookEndpoint = z.object({
  id: z.uuid(),
  url: z.string(),
  description: z.string().nullable(),
  event_types: z.array(eventType),
  /** `paused` by a person, `switched_off` by the service. Neither is sent anything. */
  status: z.enum(['enabled', 'paused', 'switched_off']),
  disabled_reason: disabledReason.nullable(),
  /** The first of an unbroken row of failed attempts, and how many there are. */
  failing_since: wireInstant.nullable(),
  failure_count: z.int(),
  /** Until then the secret before the last rotation signs too. */
  previous_secret_expires_at: wireInstant.nullable(),
  created_at: wireInstant,
  updated_at: wireInstant,
  /** Deliveries created in the last 24 hours. */
  last_day: z.object({
    pending: z.int(),
    succeeded: z.int(),
    failed: z.int(),
    /** Succeeded of those tried at least once, 0 to 1; null where none was tried. */
    success_share: z.number().nullable(),
  }),
  last_delivery: z
    .object({
      id: z.uuid(),
      state: z.enum(['pending', 'succeeded', 'failed']),
      created_at: wireInstant,
    })
    .nullable(),
});

export type WebhookEndpoint = z.infer<typeof webhookEndpoint>;

/** The only time a signing secret is shown. */
export const endpointWithSecret = webhookEndpoint.extend({ secret: z.string() });

export const endpointIdInput = z.object({ id: uuid });

// The URL and the names of events are checked by the service, which answers what is wrong with them.
const endpointFields = {
  url: text(0, 10_000),
  event_types: z.array(text(0, 100)).max(100),
  description: text(0, 500).nullish(),
};

export const createEndpointInput = z.object(endpointFields);

export type CreateEndpointInput = z.output<typeof createEndpointInput>;

/** `enabled: false` pauses; `true` resumes, also what the service switched off. */
export const updateEndpointInput = z
  .object({
    id: uuid,
    ...z.object(endpointFields).partial().shape,
    enabled: z.boolean().optional(),
  })
  .refine(({ id: _, ...changes }) => Object.values(changes).some((value) => value !== undefined));

export type EndpointChanges = Omit<z.output<typeof updateEndpointInput>, 'id'>;

/** Without a type, the first one that the endpoint has chosen. */
export const sendTestInput = z.object({ id: uuid, event_type: eventType.optional() });

export const deliveryState = z.enum(['pending', 'succeeded', 'failed']);

/** What became of an attempt that did not succeed. */
export const errorClass = z.enum([
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

/** One event to one endpoint; status and error are those of the last attempt. */
export const delivery = z.object({
  id: z.uuid(),
  endpoint_id: z.uuid(),
  event_id: z.uuid(),
  event_type: eventType,
  is_test: z.boolean(),
  /** What the event is about. */
  resource_id: z.uuid(),
  state: deliveryState,
  attempt_count: z.int(),
  response_status: z.int().nullable(),
  error_class: errorClass.nullable(),
  /** Null unless pending; in the past while it is being sent, waits its turn, or is paused. */
  next_attempt_at: wireInstant.nullable(),
  last_attempt_at: wireInstant.nullable(),
  created_at: wireInstant,
});

export type Delivery = z.infer<typeof delivery>;

/** Name, in lower case, and value. */
export const headerLine = z.tuple([z.string(), z.string()]);

export type HeaderLine = z.infer<typeof headerLine>;

export const attempt = z.object({
  number: z.int(),
  started_at: wireInstant,
  duration_ms: z.int(),
  response_status: z.int().nullable(),
  error_class: errorClass.nullable(),
  /** Of the answer, up to 64 of them and 8 KiB; null where none came or none were kept yet. */
  response_headers: z.array(headerLine).nullable(),
  /** The first 16 KiB of the answer. */
  response_body: z.string().nullable(),
});

export type Attempt = z.infer<typeof attempt>;

/** With the request that is sent, and every attempt, oldest first. */
export const deliveryWithAttempts = delivery.extend({
  /**
   * What the last attempt sent, or the first would send now, without the signature: it is not
   * kept, and to make it anew takes the secret.
   */
  request_headers: z.array(headerLine),
  /** The exact body. */
  payload: z.string(),
  attempts: z.array(attempt),
});

export type DeliveryWithAttempts = z.infer<typeof deliveryWithAttempts>;

export const deliveryIdInput = z.object({ id: uuid });

const deliveryCursor = z.templateLiteral([
  z.iso.datetime({ offset: true, precision: 6 }),
  ',',
  z.uuid(),
]);

/** Newest first. `cursor` is the `next_cursor` of the page before. */
export const listDeliveriesInput = z.object({
  endpoint_id: uuid,
  state: deliveryState.optional(),
  event_type: eventType.optional(),
  resource_id: uuid.optional(),
  created_from: utcInstant.optional(),
  created_to: utcInstant.optional(),
  limit: z.int().min(1).max(100).default(50),
  cursor: deliveryCursor.nullish(),
});

export type ListDeliveriesInput = z.output<typeof listDeliveriesInput>;

export const deliveryPage = z.object({
  data: z.array(delivery),
  /** Null on the last page. */
  next_cursor: deliveryCursor.nullable(),
});

export type DeliveryPage = z.infer<typeof deliveryPage>;

/** Of an endpoint: every failed delivery created since, up to 1,000 at a time, oldest first. */
export const replayFailedInput = z.object({ endpoint_id: uuid, since: utcInstant });

export const replayFailedAnswer = z.object({
  replayed: z.int(),
  /** Whether failed ones remain, for another call. */
  has_more: z.boolean(),
});

import type { OpenAPIObject, SchemaObject } from 'openapi3-ts/oas31';
import { z } from 'zod';
import { createDocument } from 'zod-openapi';
import { eventTypes } from '../../outbox/event-types';
import { eventSchemaName, webhookEvents } from '../../webhooks/event-schema';
import { exampleEvent } from '../../webhooks/example';

/** Standard Webhooks, "Webhook headers". */
const deliveryHeaders = z.object({
  'webhook-id': z.string().meta({ description: 'The id of the event; the same over retries.' }),
  'webhook-timestamp': z.string().meta({ description: 'Unix time of this attempt, in seconds.' }),
  'webhook-signature': z.string().meta({
    description: '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; several are spaced.',
  }),
});

const description =
  'Its data is the testimonial or space as the API returns it; of a deleted one, as it was. Sent at least once, signed as Standard Webhooks describes: verify the body as it came, with one of its libraries. Answer with any 2xx within 15 seconds.';

/** The `webhooks` section, one per event type, and the schemas of their bodies. */
export function webhooksSection(): Pick<OpenAPIObject, 'webhooks' | 'components'> {
  const { webhooks, components }: OpenAPIObject = createDocument({
    openapi: '3.1.0',
    info: { title: '', version: '' },
    webhooks: Object.fromEntries(
      eventTypes.map((type) => [
        type,
        {
          post: {
            operationId: type.replace(/\W(\w)/g, (_, letter: string) => letter.toUpperCase()),
            summary: webhookEvents[type].description,
            description,
            tags: ['Webhooks'],
            // A delivery carries a signature and no key.
            security: [],
            requestParams: { header: deliveryHeaders },
            requestBody: {
              required: true,
              content: {
                'application/json': { schema: webhookEvents[type], example: exampleEvent(type) },
              },
            },
            responses: {
              '2XX': {
                description:
                  'Received. Any other answer is tried again, but for 410, which switches the endpoint off.',
              },
            },
          },
        },
      ]),
    ),
  });
  return {
    webhooks,
    components: { schemas: { ...components?.schemas, WebhookEvent: anyEvent() } },
  };
}

/** What the feed has, and an endpoint is sent: generated clients tell them apart by `type`. */
function anyEvent(): SchemaObject {
  const schemas = eventTypes.map(
    (type) => [type, `#/components/schemas/${eventSchemaName(type)}`] as const,
  );
  return {
    description: 'An event, by its type. Ignore types you do not know.',
    oneOf: schemas.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName: 'type', mapping: Object.fromEntries(schemas) },
  };
}

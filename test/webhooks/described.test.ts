import { readFileSync } from 'node:fs';
import { eventSchemaName } from '@/src/webhooks/event-schema';
import { eventType } from '@/src/webhooks/schema';
import { drainAt } from '../helpers/drain';
import { withOwnDatabase } from '../helpers/own-database';
import { exactValidatorAt, validatorAt } from '../rest/conformance';
import { verified } from './receiver';
import { newSending, type Sending } from './sending';

withOwnDatabase();

async function writeEveryEvent({ tenant, spaceId }: Sending): Promise<void> {
  const { id } = await tenant.testimonial(spaceId);
  await tenant.api.patch(`/testimonials/${id}`, { status: 'approved' });
  await tenant.api.patch(`/testimonials/${id}`, { status: 'rejected' });
  await tenant.api.patch(`/testimonials/${id}`, { rating: 1 });
  await tenant.api.delete(`/testimonials/${id}`);
  const space = await tenant.space();
  await tenant.api.patch(`/spaces/${space.id}`, { name: 'Renamed' });
  await tenant.api.delete(`/spaces/${space.id}`);
}

async function testEveryEvent({ webhooks, endpointId }: Sending): Promise<void> {
  for (const event_type of eventType.options) {
    await webhooks.endpoints.sendTest({ id: endpointId, event_type });
  }
}

test('docs/webhooks.md says of every event type when it is sent', () => {
  const page = readFileSync('docs/webhooks.md', 'utf8');
  const cells = [...page.matchAll(/^\|([^|]+)\|/gm)].map(([, first]) => first).join();
  expect(cells.match(/\w+\.\w+/g)).toEqual(eventType.options);
});

test.each([
  ['a real one', writeEveryEvent],
  ['a test', testEveryEvent],
])('every event, %s, is what the document says of its type and of no other', async (_, make) => {
  const sending = await newSending();
  const { endpointId: id, webhooks } = sending;
  await webhooks.endpoints.update({ id, event_types: [...eventType.options] });
  await make(sending);
  await drainAt();
  const events = sending.receiver.received.map((received) => verified(received, sending.secret));
  expect(events.map(({ type }) => type).sort()).toEqual([...eventType.options].sort());
  const numbers = events.map(({ data, sequence }) => `${data.id} ${sequence}`);
  expect(new Set(numbers).size).toBe(events.length);
  for (const event of events) {
    const accepting = eventType.options.filter((type) =>
      exactValidatorAt(`/components/schemas/${eventSchemaName(type)}`)(event),
    );
    expect([accepting, event]).toEqual([[event.type], event]);
    expect(validatorAt('/components/schemas/WebhookEvent')(event)).toBe(true);
  }
});

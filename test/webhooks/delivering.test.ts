import { database } from '@/src/database/client';
import { provideEnv } from '@/src/env';
import { drainAt } from '../helpers/drain';
import { later } from '../helpers/durations';
import { withOwnDatabase } from '../helpers/own-database';
import { webhooksOf } from './dashboard';
import { answerWith, verified } from './receiver';
import { newSending } from './sending';

withOwnDatabase();

test('each write sends its event, signed, with the testimonial as the API returns it', async () => {
  const { tenant, receiver, secret, spaceId } = await newSending();
  const made = await tenant.testimonial(spaceId, { text_content: 'Grüße, "日本" \u2028 🙂' });
  const path = `/testimonials/${made.id}`;
  const approved = (await tenant.api.patch(path, { status: 'approved' })).body.data;
  const rejected = (
    await tenant.api.post('/testimonials/batch/update', {
      testimonial_ids: [made.id],
      status: 'rejected',
    })
  ).body.data[0];
  await tenant.api.delete(path);

  expect(await drainAt()).toBe(4);
  const events = receiver.received.map((received) => verified(received, secret));
  events.sort((a, b) => a.sequence - b.sequence);
  expect(events.map(({ type, sequence }) => ({ type, sequence }))).toEqual([
    { type: 'testimonial.created', sequence: 1 },
    { type: 'testimonial.approved', sequence: 2 },
    { type: 'testimonial.rejected', sequence: 3 },
    { type: 'testimonial.deleted', sequence: 4 },
  ]);
  expect(events.map(({ data }) => data)).toEqual([
    made,
    { ...approved, previous_status: 'pending' },
    { ...rejected, previous_status: 'approved' },
    rejected,
  ]);
  expect(new Set(events.map(({ id }) => id)).size).toBe(4);
  for (const { headers } of receiver.received) {
    expect(headers['content-type']).toBe('application/json');
  }
});

test('the envelope has these fields in this order, and the id and time of the event', async () => {
  const { receiver, secret, write, tenant } = await newSending();
  await write();
  await drainAt();
  const [received] = receiver.received;
  if (!received) throw new Error('Nothing was received');
  const [stored] = await tenant.events();
  const event = verified(received, secret);
  expect(Object.keys(event)).toEqual(['id', 'type', 'timestamp', 'sequence', 'data']);
  expect(event.id).toBe(stored?.id);
  expect(event.id).toBe(received.headers['webhook-id']);
  expect(event.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/);
  expect(Date.parse(event.timestamp)).toBe(stored?.createdAt.getTime());
});

test('a batch of 100 sends 100 events to each of three endpoints', async () => {
  const { tenant, receiver, spaceId } = await newSending();
  const { endpoints } = webhooksOf(tenant.accountId);
  for (const path of ['/second', '/third']) {
    await endpoints.create({
      url: receiver.url.replace('/in', path),
      event_types: ['testimonial.deleted'],
    });
  }
  const made = await database().testimonial.createManyAndReturn({
    data: Array.from({ length: 100 }, () => ({
      space_id: spaceId,
      user_id: tenant.accountId,
      type: 'text' as const,
      submitter_name: 'Ada Park',
    })),
    select: { id: true },
  });
  const ids = made.map(({ id }) => id);
  await tenant.api.post('/testimonials/batch/delete', { testimonial_ids: ids });
  expect(await drainAt()).toBe(300);
  for (const path of ['/in', '/second', '/third']) {
    const bodies = receiver.received.filter((one) => one.path === path);
    const sent = bodies.map(({ body }) => JSON.parse(body).data.id);
    expect(sent.sort()).toEqual([...ids].sort());
  }
});

test('an endpoint gets the events it has chosen, and only those of its account', async () => {
  const { tenant, webhooks, endpointId, receiver, write } = await newSending();
  const other = await newSending();
  await webhooks.endpoints.update({ id: endpointId, event_types: ['testimonial.deleted'] });
  const id = await write();
  await other.write();
  await tenant.api.delete(`/testimonials/${id}`);
  await drainAt();
  expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual([
    'testimonial.deleted',
  ]);
  expect(other.receiver.received).toHaveLength(1);
});

test('after a rotation both secrets sign for 24 hours, then the new one alone', async () => {
  const { webhooks, endpointId, receiver, secret: old, write } = await newSending();
  const { secret } = await webhooks.endpoints.rotateSecret({ id: endpointId });
  await write();
  await drainAt();
  await write();
  const aDayLater = later(24 * 60 * 60 * 1000 + 1000);
  await drainAt(aDayLater);
  const [during, after] = receiver.received;
  if (!during || !after) throw new Error('Not everything was received');
  expect(verified(during, secret)).toEqual(verified(during, old));
  expect(verified(after, secret, aDayLater)).toMatchObject({ type: 'testimonial.created' });
  expect(() => verified(after, old, aDayLater)).toThrow('No matching signature');
});

test('a second rotation within 24 hours ends the older secret at once', async () => {
  const { webhooks, endpointId, receiver, secret: oldest, write } = await newSending();
  const { secret: old } = await webhooks.endpoints.rotateSecret({ id: endpointId });
  const { secret } = await webhooks.endpoints.rotateSecret({ id: endpointId });
  await write();
  await drainAt();
  const [received] = receiver.received;
  if (!received) throw new Error('Nothing was received');
  expect(verified(received, secret)).toEqual(verified(received, old));
  expect(() => verified(received, oldest)).toThrow('No matching signature');
});

/** From here on nothing that was sealed before opens. */
function changeKey(): void {
  provideEnv({ SECRET_KEY: `another key ${crypto.randomUUID()}` });
}

test('a rotation after SECRET_KEY was changed repairs an endpoint at once, and keeps no old secret', async () => {
  const { webhooks, endpointId, receiver, write } = await newSending();
  changeKey();
  const rotated = await webhooks.endpoints.rotateSecret({ id: endpointId });
  expect(rotated.previous_secret_expires_at).toBeNull();
  await write();
  await drainAt();
  const [received] = receiver.received;
  if (!received) throw new Error('Nothing was received');
  expect(verified(received, rotated.secret)).toMatchObject({ type: 'testimonial.created' });
});

test('beside an old secret that does not open, the new one signs', async () => {
  const { webhooks, endpointId, receiver, write } = await newSending();
  const { encryptedSecret } = await database().webhookEndpoint.findUniqueOrThrow({
    where: { id: endpointId },
  });
  changeKey();
  await webhooks.endpoints.rotateSecret({ id: endpointId });
  const { secret } = await webhooks.endpoints.rotateSecret({ id: endpointId });
  await database().webhookEndpoint.update({
    where: { id: endpointId },
    data: { previousEncryptedSecret: encryptedSecret },
  });
  await write();
  await drainAt();
  const [received] = receiver.received;
  if (!received) throw new Error('Nothing was received');
  expect(verified(received, secret)).toMatchObject({ type: 'testimonial.created' });
});

test('a test event takes the way of a real one, marked, once, and leaves the endpoint alone', async () => {
  const { webhooks, endpointId, endpoint, receiver, secret } = await newSending((response) =>
    answerWith(response, 500),
  );
  const sent = await webhooks.endpoints.sendTest({ id: endpointId });
  expect(sent).toMatchObject({
    is_test: true,
    state: 'pending',
    event_type: 'testimonial.created',
  });
  await webhooks.endpoints.sendTest({ id: endpointId, event_type: 'testimonial.rejected' });
  await drainAt();
  const events = receiver.received.map((received) => verified(received, secret));
  expect(events).toHaveLength(2);
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'testimonial.rejected',
      is_test: true,
      data: expect.objectContaining({ status: 'rejected', previous_status: 'pending' }),
    }),
  );
  expect(await webhooks.deliveries.get({ id: sent.id })).toMatchObject({
    state: 'failed',
    attempt_count: 1,
    next_attempt_at: null,
  });
  expect(await endpoint()).toMatchObject({ status: 'enabled', failure_count: 0 });
});

test('a test event that is answered 410 switches the endpoint off, as a real one does', async () => {
  const { webhooks, endpointId, endpoint } = await newSending((response) =>
    answerWith(response, 410),
  );
  const { id } = await webhooks.endpoints.sendTest({ id: endpointId });
  await drainAt();
  expect(await webhooks.deliveries.get({ id })).toMatchObject({
    state: 'failed',
    response_status: 410,
  });
  expect(await endpoint()).toMatchObject({
    status: 'switched_off',
    disabled_reason: 'gone',
    failure_count: 0,
  });
});

test('a redirect is a failure', async () => {
  const { write, deliveries, receiver } = await newSending((response) =>
    answerWith(response, 307, { location: '/elsewhere' }),
  );
  await write();
  await drainAt();
  expect(receiver.received).toHaveLength(1);
  expect(await deliveries()).toMatchObject([
    { state: 'pending', response_status: 307, error_class: 'redirect' },
  ]);
});

test('a private address is refused at every send, however it was let in', async () => {
  const { write, deliveries, receiver } = await newSending();
  await write();
  provideEnv({ ALLOW_PRIVATE_NETWORK: '' });
  try {
    await drainAt();
  } finally {
    provideEnv({ ALLOW_PRIVATE_NETWORK: 'true' });
  }
  expect(receiver.received).toHaveLength(0);
  expect(await deliveries()).toMatchObject([
    { state: 'pending', attempt_count: 1, response_status: null, error_class: 'url_refused' },
  ]);
});

test('a signing secret that cannot be read sends nothing and is tried again', async () => {
  const { write, deliveries, receiver, endpointId } = await newSending();
  await database().webhookEndpoint.update({
    where: { id: endpointId },
    data: { encryptedSecret: new Uint8Array(60) },
  });
  await write();
  await drainAt();
  expect(receiver.received).toHaveLength(0);
  expect(await deliveries()).toMatchObject([{ state: 'pending', error_class: 'signing_secret' }]);
});

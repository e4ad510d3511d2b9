import { database } from '@/src/database/client';
import { webhookLimits } from '@/src/webhooks/limits';
import { trimLog } from '@/src/webhooks/log-trimming';
import { retryScheduleMs } from '@/src/webhooks/sending/backoff';
import { drainAt } from '../helpers/drain';
import { dayMs, later, secondMs } from '../helpers/durations';
import { withOwnDatabase } from '../helpers/own-database';
import { unknownId } from './dashboard';
import { answerWith, verified } from './receiver';
import { newSending } from './sending';

withOwnDatabase();

test('a paused endpoint gets nothing new, and what is pending waits', async () => {
  const { receiver, write, webhooks, endpointId, deliveries } = await newSending();
  await write();
  await webhooks.endpoints.update({ id: endpointId, enabled: false });
  await write();
  expect(await deliveries()).toMatchObject([{ state: 'pending', attempt_count: 0 }]);
  expect(await drainAt(later(dayMs))).toBe(0);
  await webhooks.endpoints.update({ id: endpointId, enabled: true });
  expect(await drainAt()).toBe(1);
  expect(receiver.received).toHaveLength(1);
});

test('nothing can be sent by hand to a paused endpoint', async () => {
  const { write, webhooks, endpointId, deliveries } = await newSending();
  await write();
  await drainAt();
  const [{ id } = { id: '' }] = await deliveries();
  await webhooks.endpoints.update({ id: endpointId, enabled: false });
  const refused = { apiCode: 'WEBHOOK_ENDPOINT_PAUSED' };
  const since = '2026-01-01T00:00:00Z';
  await expect(webhooks.endpoints.sendTest({ id: endpointId })).rejects.toMatchObject(refused);
  await expect(webhooks.deliveries.resend({ id })).rejects.toMatchObject(refused);
  await expect(
    webhooks.deliveries.replayFailed({ endpoint_id: endpointId, since }),
  ).rejects.toMatchObject(refused);
});

test('a resend has the same id and body, a new signature, and leaves the failure streak alone', async () => {
  const { receiver, secret, write, webhooks, deliveries, endpoint } = await newSending();
  await write();
  await drainAt();
  const [{ id } = { id: '' }] = await deliveries();
  receiver.answer = (response) => answerWith(response, 500);
  expect(await webhooks.deliveries.resend({ id })).toMatchObject({ id, state: 'pending' });
  const now = later(minuteLater);
  await drainAt(now);
  const [first, second] = receiver.received;
  if (!first || !second) throw new Error('Not everything was received');
  expect(verified(second, secret, now)).toEqual(verified(first, secret));
  expect(second.headers['webhook-signature']).not.toBe(first.headers['webhook-signature']);
  expect(await endpoint()).toMatchObject({ failure_count: 0, failing_since: null });
  receiver.answer = (response) => answerWith(response, 200);
  await drainAt(new Date(now.getTime() + 5 * secondMs));
  expect(await deliveries()).toMatchObject([{ state: 'succeeded', attempt_count: 3 }]);
});

const minuteLater = 60_000;

test('what is sent again has a new round of retries, also where its own has ended', async () => {
  const { write, webhooks, deliveries } = await newSending((response) => answerWith(response, 500));
  await write();
  await drainAt();
  const [{ id } = { id: '' }] = await deliveries();
  const data = {
    state: 'failed',
    scheduleStep: retryScheduleMs.length,
    nextAttemptAt: null,
  } as const;
  await database().webhookDelivery.update({ where: { id }, data });
  await webhooks.deliveries.resend({ id });
  const now = later();
  await drainAt(now);
  const [delivery] = await deliveries();
  expect(delivery).toMatchObject({ state: 'pending', attempt_count: 2 });
  expect(Date.parse(delivery?.next_attempt_at ?? '') - now.getTime()).toBe(retryScheduleMs[0]);
});

test('a success by hand does not end a failure streak', async () => {
  const { receiver, write, webhooks, deliveries, endpoint } = await newSending((response) =>
    answerWith(response, 500),
  );
  await write();
  await drainAt();
  const [{ id } = { id: '' }] = await deliveries();
  receiver.answer = (response) => answerWith(response, 200);
  await webhooks.deliveries.resend({ id });
  await drainAt();
  expect(await deliveries()).toMatchObject([{ state: 'succeeded' }]);
  expect(await endpoint()).toMatchObject({ failure_count: 1 });
});

test('replaying sends what failed since an instant, once', async () => {
  const { receiver, write, webhooks, endpointId, deliveries } = await newSending((response) =>
    answerWith(response, 400),
  );
  for (let count = 0; count < 4; count++) await write();
  await drainAt();
  await database()
    .$executeRaw`UPDATE webhook_deliveries SET state = 'failed', next_attempt_at = NULL
    WHERE endpoint_id = ${endpointId}::uuid`;
  const [, , second] = await deliveries();
  const since = second?.created_at.replace('+00:00', 'Z') ?? '';
  await write();
  receiver.answer = (response) => answerWith(response, 200);
  receiver.received.length = 0;
  const input = { endpoint_id: endpointId, since };
  expect(await webhooks.deliveries.replayFailed(input)).toEqual({ replayed: 3, has_more: false });
  expect(await webhooks.deliveries.replayFailed(input)).toEqual({ replayed: 0, has_more: false });
  expect(await drainAt()).toBe(4);
  expect((await deliveries()).map(({ state }) => state)).toEqual([
    'succeeded',
    'succeeded',
    'succeeded',
    'succeeded',
    'failed',
  ]);
});

test('replaying takes what failed and waits for its next try too, and counts it before', async () => {
  const { receiver, write, webhooks, endpointId, deliveries } = await newSending((response) =>
    answerWith(response, 500),
  );
  await write();
  await write();
  await drainAt();
  // Not tried yet: it is sent in any case.
  await write();
  const input = { endpoint_id: endpointId, since: '2026-01-01T00:00:00Z' };
  expect(await webhooks.deliveries.countReplayable(input)).toEqual({ count: 2, has_more: false });
  receiver.answer = (response) => answerWith(response, 200);
  expect(await webhooks.deliveries.replayFailed(input)).toEqual({ replayed: 2, has_more: false });
  expect(await webhooks.deliveries.countReplayable(input)).toEqual({ count: 0, has_more: false });
  expect(await webhooks.deliveries.replayFailed(input)).toEqual({ replayed: 0, has_more: false });
  expect(await drainAt()).toBe(3);
  expect((await deliveries()).map(({ state }) => state)).toEqual(Array(3).fill('succeeded'));
});

test('a test that failed is no part of a replay: it is sent once', async () => {
  const { webhooks, endpointId, deliveries } = await newSending((response) =>
    answerWith(response, 500),
  );
  await webhooks.endpoints.sendTest({ id: endpointId });
  await drainAt();
  expect(await deliveries()).toMatchObject([{ state: 'failed' }]);
  const input = { endpoint_id: endpointId, since: '2026-01-01T00:00:00Z' };
  expect(await webhooks.deliveries.countReplayable(input)).toEqual({ count: 0, has_more: false });
  expect(await webhooks.deliveries.replayFailed(input)).toEqual({ replayed: 0, has_more: false });
});

test('of a delivery that is sent again and again, the newest attempts are kept and told', async () => {
  const { write, webhooks, deliveries } = await newSending();
  await write();
  await drainAt();
  const [{ id } = { id: '' }] = await deliveries();
  const { keptAttempts } = webhookLimits;
  const before = keptAttempts + 5;
  await database().$executeRaw`
    INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms)
    SELECT ${id}::uuid, number, now(), 1 FROM generate_series(2, ${before}::int) number`;
  await database().$executeRaw`
    UPDATE webhook_deliveries SET attempt_count = ${before} WHERE id = ${id}::uuid`;
  const numbers = async () =>
    (await webhooks.deliveries.get({ id })).attempts.map(({ number }) => number);
  const newest = (last: number) =>
    Array.from({ length: keptAttempts }, (_, index) => last - keptAttempts + 1 + index);
  expect(await numbers()).toEqual(newest(before));
  await webhooks.deliveries.resend({ id });
  await drainAt();
  expect(await numbers()).toEqual(newest(before + 1));
  expect(await database().webhookAttempt.count({ where: { deliveryId: id } })).toBe(keptAttempts);
});

test('an attempt keeps the URL that it went to, wherever the endpoint is sent afterwards', async () => {
  const { receiver, write, webhooks, endpointId, deliveries } = await newSending((response) =>
    answerWith(response, 500),
  );
  await write();
  await drainAt();
  const before = receiver.url;
  const url = `${before}/moved`;
  await webhooks.endpoints.update({ id: endpointId, url });
  const [{ id } = { id: '' }] = await deliveries();
  await webhooks.deliveries.resend({ id });
  await drainAt(later());
  const { attempts } = await webhooks.deliveries.get({ id });
  expect(attempts).toMatchObject([
    { number: 1, url: before },
    { number: 2, url },
  ]);
  await database().$executeRaw`UPDATE webhook_attempts SET url = NULL`;
  expect((await webhooks.deliveries.get({ id })).attempts[0]?.url).toBeNull();
});

test('a delivery tells who submitted the testimonial that it is about', async () => {
  const { write, deliveries } = await newSending();
  await write();
  expect(await deliveries()).toMatchObject([{ resource_name: 'Ada Park' }]);
});

test('a replay takes 1,000 at a time, and says that there is more', async () => {
  const { tenant, webhooks, endpointId } = await newSending();
  await database().$executeRaw`
    WITH event AS (
      INSERT INTO webhook_events (user_id, type, resource_id, sequence, data)
      SELECT ${tenant.accountId}::uuid, 'testimonial.created', gen_random_uuid(), 1, '{}'
      FROM generate_series(1, 1003) RETURNING id
    )
    INSERT INTO webhook_deliveries (event_id, endpoint_id, state, next_attempt_at)
    SELECT id, ${endpointId}::uuid, 'failed', NULL FROM event`;
  const input = { endpoint_id: endpointId, since: '2026-01-01T00:00:00Z' };
  const ofOneReplay = { count: 1000, has_more: true };
  expect(await webhooks.deliveries.countReplayable(input)).toEqual(ofOneReplay);
  expect(await webhooks.deliveries.replayFailed(input)).toEqual({ replayed: 1000, has_more: true });
  expect(await webhooks.deliveries.replayFailed(input)).toEqual({ replayed: 3, has_more: false });
});

test('deliveries are listed newest first, in pages, by state, event, testimonial and time', async () => {
  const { tenant, receiver, write, webhooks, endpointId } = await newSending();
  const first = await write();
  await tenant.api.patch(`/testimonials/${first}`, { status: 'approved' });
  await drainAt();
  receiver.answer = (response) => answerWith(response, 500);
  const second = await write();
  await tenant.api.patch(`/testimonials/${second}`, { status: 'rejected' });
  const list = async (filter: object) => {
    const page = await webhooks.deliveries.list({ endpoint_id: endpointId, ...filter });
    return page.data.map((one) => `${one.event_type} ${one.resource_id}`);
  };
  const all = [
    `testimonial.rejected ${second}`,
    `testimonial.created ${second}`,
    `testimonial.approved ${first}`,
    `testimonial.created ${first}`,
  ];
  expect(await list({})).toEqual(all);
  expect(await list({ state: 'pending' })).toEqual(all.slice(0, 2));
  expect(await list({ state: 'succeeded' })).toEqual(all.slice(2));
  expect(await list({ state: 'failed' })).toEqual([]);
  expect(await list({ event_type: 'testimonial.created' })).toEqual([all[1], all[3]]);
  expect(await list({ resource_id: first })).toEqual(all.slice(2));

  const paged: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof webhooks.deliveries.list>> =
      await webhooks.deliveries.list({ endpoint_id: endpointId, limit: 1, cursor });
    paged.push(...page.data.map((one) => `${one.event_type} ${one.resource_id}`));
    cursor = page.next_cursor;
  } while (cursor !== null);
  expect(paged).toEqual(all);

  const { data } = await webhooks.deliveries.list({ endpoint_id: endpointId });
  const middle = data[1]?.created_at.replace('+00:00', 'Z') ?? '';
  expect(await list({ created_from: middle })).toEqual(all.slice(0, 2));
  expect(await list({ created_to: middle })).toEqual(all.slice(1));
});

test("another account's delivery answers as one that does not exist", async () => {
  const { write, deliveries } = await newSending();
  const { webhooks } = await newSending();
  await write();
  const [{ id: foreign } = { id: '' }] = await deliveries();
  for (const id of [foreign, unknownId]) {
    const refused = { apiCode: 'DELIVERY_NOT_FOUND' };
    await expect(webhooks.deliveries.get({ id })).rejects.toMatchObject(refused);
    await expect(webhooks.deliveries.resend({ id })).rejects.toMatchObject(refused);
  }
});

test('the log is kept for 30 days, and what is pending for longer', async () => {
  const { tenant, write, webhooks, endpointId, deliveries } = await newSending();
  await write();
  await drainAt();
  await webhooks.endpoints.update({ id: endpointId, enabled: true });
  await write();
  await write();
  await drainAt(later());
  await write();
  const trimAt = async (now: Date) =>
    (await trimLog({ endAt: Number.POSITIVE_INFINITY, now })).removed;
  expect(await trimAt(later(30 * dayMs - secondMs * 30))).toBe(0);
  // With that of the space, which goes to nobody.
  expect(await trimAt(later(30 * dayMs))).toBe(4);
  expect(await deliveries()).toMatchObject([{ state: 'pending' }]);
  expect(await tenant.events()).toHaveLength(1);
  expect(await database().webhookAttempt.count()).toBe(0);
});

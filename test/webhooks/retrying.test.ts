import { database } from '@/src/database/client';
import { retryScheduleMs } from '@/src/webhooks/sending/backoff';
import { drainAt } from '../helpers/drain';
import { dayMs, hourMs, later, minuteMs, secondMs } from '../helpers/durations';
import { withOwnDatabase } from '../helpers/own-database';
import { answerWith } from './receiver';
import { newSending } from './sending';

withOwnDatabase();

test('what fails is tried again by the schedule, the same bytes signed anew, ten times in all', async () => {
  const { receiver, write, webhooks, deliveries } = await newSending((response) =>
    answerWith(response, 500, {}, 'no\0pe'),
  );
  await write();
  let now = later();
  expect(await drainAt(now)).toBe(1);
  for (const [index, stepMs] of retryScheduleMs.entries()) {
    const [delivery] = await deliveries();
    expect(delivery).toMatchObject({
      state: 'pending',
      attempt_count: index + 1,
      response_status: 500,
      error_class: 'status',
    });
    const waitMs = Date.parse(delivery?.next_attempt_at ?? '') - now.getTime();
    expect(waitMs).toBe(stepMs);
    expect(await drainAt(new Date(now.getTime() + stepMs - 1))).toBe(0);
    now = new Date(now.getTime() + stepMs);
    expect(await drainAt(now)).toBe(1);
  }
  const [last] = await deliveries();
  expect(last).toMatchObject({ state: 'failed', attempt_count: 10, next_attempt_at: null });
  expect(await drainAt(new Date(now.getTime() + 30 * dayMs))).toBe(0);

  expect(receiver.received).toHaveLength(10);
  const [first] = receiver.received;
  for (const one of receiver.received) {
    expect(one.body).toBe(first?.body);
    expect(one.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  }
  const stamps = receiver.received.map(({ headers }) => headers['webhook-timestamp']);
  expect(new Set(stamps).size).toBe(10);

  const { attempts, payload } = await webhooks.deliveries.get({ id: last?.id ?? '' });
  expect(payload).toBe(first?.body);
  expect(attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(attempts[9]).toMatchObject({
    started_at: now.toISOString().replace('Z', '000+00:00'),
    response_status: 500,
    error_class: 'status',
    response_body: 'no\uFFFDpe',
  });
  expect(attempts[9]?.duration_ms).toBeGreaterThanOrEqual(0);
});

test('a success on a later attempt ends the retries', async () => {
  const { receiver, write, deliveries, endpoint } = await newSending((response) =>
    answerWith(response, 503),
  );
  await write();
  const now = later();
  await drainAt(now);
  expect(await endpoint()).toMatchObject({ failure_count: 1 });
  receiver.answer = (response) => answerWith(response, 299, {}, 'fine');
  await drainAt(new Date(now.getTime() + 5 * secondMs));
  expect(await deliveries()).toMatchObject([
    { state: 'succeeded', attempt_count: 2, response_status: 299, error_class: null },
  ]);
  expect(await endpoint()).toMatchObject({
    failing_since: null,
    failure_count: 0,
    last_day: { pending: 0, succeeded: 1, failed: 0, success_share: 1 },
    last_delivery: { state: 'succeeded' },
  });
});

test('Retry-After moves the next attempt, and 429 gives a minute at least', async () => {
  const { receiver, write, deliveries } = await newSending((response) =>
    answerWith(response, 503, { 'retry-after': '7' }),
  );
  await write();
  const now = later();
  await drainAt(now);
  const waitMs = async (since: Date) => {
    const [delivery] = await deliveries();
    return Date.parse(delivery?.next_attempt_at ?? '') - since.getTime();
  };
  expect(await waitMs(now)).toBe(7 * secondMs);
  const second = new Date(now.getTime() + 7 * secondMs);
  receiver.answer = (response) => answerWith(response, 429, { 'retry-after': '99999' });
  await drainAt(second);
  expect(await waitMs(second)).toBe(10 * minuteMs);
  await write();
  const third = new Date(second.getTime() + secondMs);
  await drainAt(third);
  expect(await waitMs(third)).toBe(minuteMs);
});

test('410 fails the delivery and switches the endpoint off, with the reason', async () => {
  const { receiver, write, deliveries, endpoint, webhooks, endpointId } = await newSending(
    (response) => answerWith(response, 410),
  );
  await write();
  await drainAt();
  expect(await deliveries()).toMatchObject([{ state: 'failed', response_status: 410 }]);
  expect(await endpoint()).toMatchObject({ status: 'switched_off', disabled_reason: 'gone' });
  await write();
  expect(await deliveries()).toHaveLength(1);
  receiver.answer = (response) => answerWith(response, 200);
  await webhooks.endpoints.update({ id: endpointId, enabled: true });
  await write();
  expect(await drainAt()).toBe(1);
});

test('what the address answers that the endpoint had before says nothing of the new one', async () => {
  const { receiver, write, endpoint, webhooks, endpointId } = await newSending();
  for (const status of [500, 410]) {
    const url = `${receiver.url}/${status}`;
    receiver.answer = async (response) => {
      await webhooks.endpoints.update({ id: endpointId, url });
      answerWith(response, status);
    };
    await write();
    expect(await drainAt()).toBe(1);
    expect(await endpoint()).toMatchObject({ url, status: 'enabled', failure_count: 0 });
  }
});

test('an endpoint that a person has paused meanwhile stays as they left it, whatever it answers', async () => {
  const { receiver, write, endpoint, webhooks, endpointId: id } = await newSending();
  for (const status of [500, 410]) {
    receiver.answer = async (response) => {
      await webhooks.endpoints.update({ id, enabled: false });
      answerWith(response, status);
    };
    await write();
    expect(await drainAt()).toBe(1);
    expect(await endpoint()).toMatchObject({ status: 'paused', disabled_reason: null });
    await webhooks.endpoints.update({ id, enabled: true });
  }
});

test('5 days and 20 attempts of nothing but failures switch the endpoint off, not one alone', async () => {
  const { write, endpoint, webhooks, endpointId } = await newSending((response) =>
    answerWith(response, 500),
  );
  const failAt = async (now: Date) => {
    await write();
    await database().$executeRaw`UPDATE webhook_deliveries SET next_attempt_at = ${now}
      WHERE state = 'pending'`;
    await database()
      .$executeRaw`UPDATE webhook_deliveries SET state = 'failed', next_attempt_at = NULL
      WHERE attempt_count > 0`;
    await drainAt(now);
  };
  const begin = later();
  for (let attempts = 1; attempts <= 20; attempts++) await failAt(begin);
  expect(await endpoint()).toMatchObject({ status: 'enabled', failure_count: 20 });
  await failAt(new Date(begin.getTime() + 5 * dayMs - hourMs));
  expect(await endpoint()).toMatchObject({ status: 'enabled', failure_count: 21 });
  await failAt(new Date(begin.getTime() + 5 * dayMs + secondMs));
  expect(await endpoint()).toMatchObject({ status: 'switched_off', disabled_reason: 'failing' });

  await webhooks.endpoints.update({ id: endpointId, enabled: true });
  await failAt(begin);
  const afterDays = new Date(begin.getTime() + 6 * dayMs);
  await failAt(afterDays);
  expect(await endpoint()).toMatchObject({ status: 'enabled', failure_count: 2 });
  for (let attempts = 3; attempts <= 19; attempts++) await failAt(afterDays);
  expect(await endpoint()).toMatchObject({ status: 'enabled', failure_count: 19 });
  await failAt(afterDays);
  expect(await endpoint()).toMatchObject({ status: 'switched_off', disabled_reason: 'failing' });
});

test('an endpoint deleted while it is being sent to takes its deliveries along', async () => {
  const { receiver, write, webhooks, endpointId } = await newSending();
  await write();
  receiver.answer = async (response) => {
    await webhooks.endpoints.delete({ id: endpointId });
    answerWith(response, 200);
  };
  expect(await drainAt()).toBe(1);
  expect(await webhooks.endpoints.list()).toEqual([]);
});

import { database } from '@/src/database/client';
import { stopClockAt } from '@/test/helpers/clock';
import { drainAt } from '../helpers/drain';
import { dayMs, hourMs, later, minuteMs, secondMs } from '../helpers/durations';
import { withOwnDatabase } from '../helpers/own-database';
import { answerWith, verified } from './receiver';
import { newSending } from './sending';

withOwnDatabase();

async function databaseNow(): Promise<number> {
  const [row] = await database().$queryRaw<{ ms: number }[]>`
    SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`;
  return row?.ms ?? Number.NaN;
}

describe.each([-hourMs, hourMs])('with a clock %i ms off that of the database', (offMs) => {
  test('everything signed, stored and waited for is by that of the database', async () => {
    const { write, receiver, secret, deliveries, endpoint, webhooks } = await newSending(
      (response) => answerWith(response, 500),
    );
    await write();
    const from = await databaseNow();
    stopClockAt(Date.now() + offMs);
    expect(await drainAt()).toBe(1);
    const to = await databaseNow();
    const isBetween = (instant: string | null | undefined, afterMs = 0) => {
      const at = Date.parse(instant ?? '') - afterMs;
      // What is stored in microseconds is read in milliseconds.
      expect(at).toBeGreaterThanOrEqual(Math.floor(from));
      expect(at).toBeLessThanOrEqual(to);
    };

    const [delivery] = await deliveries();
    isBetween(delivery?.last_attempt_at);
    isBetween(delivery?.next_attempt_at, 5 * secondMs);
    isBetween((await endpoint()).failing_since);
    const [received] = receiver.received;
    if (!received) throw new Error('Nothing was received');
    verified(received, secret, new Date(to));
    const shown = await webhooks.deliveries.get({ id: delivery?.id ?? '' });
    isBetween(shown.attempts[0]?.started_at);
    expect(received.headers).toMatchObject(Object.fromEntries(shown.request_headers));
    expect(await drainAt()).toBe(0);
  });

  test('a date in Retry-After is read by the clock of the receiver who gave it', async () => {
    const theirs = Date.now() + 3 * offMs;
    const { write, deliveries } = await newSending((response) =>
      answerWith(response, 503, {
        date: new Date(theirs).toUTCString(),
        'retry-after': new Date(theirs + 8 * secondMs).toUTCString(),
      }),
    );
    await write();
    stopClockAt(Date.now() + offMs);
    const now = new Date((await databaseNow()) + minuteMs);
    await drainAt(now);
    const [delivery] = await deliveries();
    expect(Date.parse(delivery?.next_attempt_at ?? '') - now.getTime()).toBe(8 * secondMs);
  });
});

test('an endpoint that failed as the clock was ahead is switched off five days after that is set right', async () => {
  const { write, endpoint } = await newSending((response) => answerWith(response, 500));
  await write();
  await drainAt(later(365 * dayMs));
  for (let events = 1; events <= 20; events += 1) await write();
  await drainAt();
  expect(Date.parse((await endpoint()).failing_since ?? '')).toBeLessThan(Date.now());
  await drainAt(later(5 * dayMs + hourMs));
  expect(await endpoint()).toMatchObject({ status: 'switched_off', disabled_reason: 'failing' });
});

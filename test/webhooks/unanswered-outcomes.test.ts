import { startDrain } from '@/src/background/drain';
import { database } from '@/src/database/client';
import { log } from '@/src/logging/log';
import { webhookLimits } from '@/src/webhooks/limits';
import { deliveryJob } from '@/src/webhooks/sending/delivery-job';
import { returnLeases } from '@/src/webhooks/sending/leases';
import { createOutcomeBatches } from '@/src/webhooks/sending/outcome-batches';
import { later } from '../helpers/durations';
import { withOwnDatabase } from '../helpers/own-database';
import { answerWith } from './receiver';
import { claimAt, newSending, success } from './sending';

const mockBeforeTry = jest.fn(async () => {});
const mockAfterTry = jest.fn(async () => {});

jest.mock('@/src/webhooks/sending/outcomes', () => {
  const actual = jest.requireActual('@/src/webhooks/sending/outcomes');
  return {
    ...actual,
    recordOutcomes: async (...given: unknown[]) => {
      await mockBeforeTry();
      const recorded = await actual.recordOutcomes(...given);
      await mockAfterTry();
      return recorded;
    },
  };
});

withOwnDatabase();

test('an outcome that is recorded, and the answer lost, is not said to be lost', async () => {
  const { write, deliveries } = await newSending();
  await write();
  const warn = jest.spyOn(log(), 'warn').mockReturnValue();
  const cut = Object.assign(new Error('cut'), { code: 'ECONNRESET' });
  const [claimed] = await claimAt({ now: later() });
  if (!claimed) throw new Error('Nothing was claimed');
  mockAfterTry.mockRejectedValueOnce(cut);
  await createOutcomeBatches({ random: Math.random }).add({ claimed, result: success });
  expect(await deliveries()).toMatchObject([{ state: 'succeeded', attempt_count: 1 }]);
  expect(warn.mock.calls).toEqual([
    [{ err: cut }, 'webhook attempts not recorded yet'],
    [{ unclear: 1 }, expect.stringContaining('recorded before')],
  ]);
  warn.mockRestore();
});

test('one whose lease ran out while the database refused to record it is lost', async () => {
  const { write } = await newSending();
  await write();
  const now = later();
  const [claimed] = await claimAt({ now });
  if (!claimed) throw new Error('Nothing was claimed');
  const warn = jest.spyOn(log(), 'warn').mockReturnValue();
  const endedAt = new Date(now.getTime() + webhookLimits.leaseMs);
  expect(await returnLeases({ all: false, now: endedAt })).toBe(1);
  mockBeforeTry.mockRejectedValueOnce(new Error('refused'));
  await createOutcomeBatches({ random: Math.random }).add({ claimed, result: success });
  expect(warn).toHaveBeenLastCalledWith({ lost: 1 }, 'webhook attempts outlived their lease');
  warn.mockRestore();
});

test('nothing is lost of deliveries that have gone with their endpoint', async () => {
  const kept = await newSending();
  const deleted = await newSending();
  await kept.write();
  await deleted.write();
  const claimed = await claimAt({ now: later() });
  expect(claimed).toHaveLength(2);
  const warn = jest.spyOn(log(), 'warn').mockReturnValue();
  await deleted.webhooks.endpoints.delete({ id: deleted.endpointId });
  const batches = createOutcomeBatches({ random: Math.random });
  await Promise.all(claimed.map((one) => batches.add({ claimed: one, result: success })));
  expect(await kept.deliveries()).toMatchObject([{ state: 'succeeded' }]);
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});

test('one that the database will not have is given up at once, and alone', async () => {
  const { write, deliveries } = await newSending();
  for (let count = 0; count < 5; count += 1) await write();
  const claimed = await claimAt({ now: later() });
  const refused = claimed[2]?.id;
  // As where somebody has set how many there were back by hand: it has the number of the next.
  await database().$executeRaw`
    INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms)
    VALUES (${refused}::uuid, 1, clock_timestamp(), 1)`;
  const error = jest.spyOn(log(), 'error').mockReturnValue();
  const batches = createOutcomeBatches({ random: Math.random });
  await Promise.all(claimed.map((one) => batches.add({ claimed: one, result: success })));
  const states = (await deliveries()).map(({ id, state }) => [id === refused, state]).sort();
  expect(states).toEqual([...Array(4).fill([false, 'succeeded']), [true, 'pending']]);
  expect(error.mock.calls).toEqual([
    [{ err: expect.anything(), lost: 1 }, 'webhook attempts not recorded'],
  ]);
  error.mockRestore();
  // Its lease is given back all the same, as those of others with it; then it has another number.
  await returnLeases({ all: true, now: later() });
  const again = await claimAt({ now: later() });
  expect(again.map(({ id }) => id)).toEqual([refused]);
  await Promise.all(again.map((one) => batches.add({ claimed: one, result: success })));
  expect((await deliveries()).map(({ state }) => state)).toEqual(Array(5).fill('succeeded'));
});

test('a drain begins no attempt that it has no time to write down', async () => {
  const { write, receiver, deliveries } = await newSending();
  await write();
  const deadlineAt = Date.now() + webhookLimits.attemptTimeoutMs + 1_000;
  await startDrain([deliveryJob], { deadlineAt }).finished;
  expect(receiver.received).toEqual([]);
  expect(await deliveries()).toMatchObject([{ state: 'pending', attempt_count: 0 }]);
});

test('what has a deadline is over by it, also where the database refuses what was sent', async () => {
  const clock = Date.now.bind(Date);
  const hour = 3_600_000;
  const deadlineAt = clock() + hour;
  // Once it is sent, a second is left, however long that has taken.
  const { write, receiver } = await newSending((response) => {
    jest.spyOn(Date, 'now').mockImplementation(() => clock() + hour - 1_000);
    answerWith(response, 204);
  });
  await write();
  jest.spyOn(log(), 'warn').mockReturnValue();
  const error = jest.spyOn(log(), 'error').mockReturnValue();
  mockBeforeTry.mockRejectedValue(new Error('refused'));
  await startDrain([deliveryJob], { deadlineAt }).finished;
  // Without it, outcomes are tried for a minute.
  expect(Date.now()).toBeLessThan(deadlineAt + 30_000);
  expect(receiver.received).toHaveLength(1);
  expect(error.mock.calls).toEqual([[expect.anything(), 'webhook attempts not recorded']]);
  mockBeforeTry.mockReset();
  jest.restoreAllMocks();
});

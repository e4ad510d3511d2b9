import { randomUUID } from 'node:crypto';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { createRequestCounter } from '@/src/rate-limit/counter';

const limit = { requests: 100, windowSeconds: 3600 };

/** A counter that another process keeps, and what it was told: the messages to it. */
function createShared() {
  const limiter = new RateLimiterMemory({ points: limit.requests, duration: limit.windowSeconds });
  const consume = jest.spyOn(limiter, 'consume');
  const counter = createRequestCounter(limit, (use) => use(limiter));
  return {
    counter,
    messages: () => consume.mock.calls.map(([account, points]) => [account, points]),
  };
}

const countAll = (counter: ReturnType<typeof createShared>['counter'], accounts: string[]) =>
  Promise.all(accounts.map((account) => counter.count(account)));

test('requests of one turn are counted by one message, and each is told its own place', async () => {
  const { counter, messages } = createShared();
  const [ada, bob] = [randomUUID(), randomUUID()];
  const counts = await countAll(counter, [ada, bob, ada, ada]);
  expect(counts.map(({ state }) => state.remaining)).toEqual([99, 99, 98, 97]);
  expect(messages()).toEqual([
    [ada, 3],
    [bob, 1],
  ]);
  const [next] = await countAll(counter, [ada]);
  expect(next?.state.remaining).toBe(96);
});

test('of requests that pass the limit together, exactly those are refused that are too many', async () => {
  const { counter } = createShared();
  const account = randomUUID();
  await countAll(counter, Array(95).fill(account));
  const counts = await countAll(counter, Array(10).fill(account));
  expect(counts.map(({ isExceeded }) => isExceeded)).toEqual([
    ...Array(5).fill(false),
    ...Array(5).fill(true),
  ]);
  expect(counts.map(({ state }) => state.remaining)).toEqual([4, 3, 2, 1, 0, 0, 0, 0, 0, 0]);
  const resets = new Set(counts.map(({ state }) => state.resetAt));
  expect(resets.size).toBe(1);
});

test('a counter that fails for one turn fails those of that turn, and counts the next', async () => {
  const limiter = new RateLimiterMemory({ points: limit.requests, duration: limit.windowSeconds });
  const fails = jest.spyOn(limiter, 'consume').mockRejectedValueOnce(new Error('gone'));
  const counter = createRequestCounter(limit, (use) => use(limiter));
  const account = randomUUID();
  const failed = await Promise.allSettled([counter.count(account), counter.count(account)]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(fails).toHaveBeenCalledTimes(1);
  expect((await counter.count(account)).state.remaining).toBe(99);
});

test('those who count together tell one end of the window, however long each took to hear of it', async () => {
  const limiter = new RateLimiterMemory({ points: limit.requests, duration: limit.windowSeconds });
  const account = randomUUID();
  const start = 1_800_000_000_200;
  const clock = jest.spyOn(Date, 'now').mockReturnValue(start);
  const resets: number[] = [];
  for (const late of [0, 3, 40]) {
    const { state } = await createRequestCounter(limit, async (use) => {
      clock.mockReturnValue(start);
      const told = await use(limiter);
      clock.mockReturnValue(start + late);
      return told;
    }).count(account);
    resets.push(state.resetAt);
  }
  expect(resets).toEqual(Array(3).fill(start + 3_600_800));
});

/** @jest-environment ./test/helpers/own-environment.ts */
import { atMinimumRate, watchRate } from '@/src/storage/transfer-rate';
import { collectGarbage } from '../helpers/garbage';

beforeEach(() => {
  jest.useFakeTimers();
});

/** A transfer that brings so many bytes in each second. Returns the second in which it is ended. */
function secondOfEnd(bytesBySecond: number[]): number | undefined {
  let second = 0;
  let endedIn: number | undefined;
  const rate = watchRate({ bytesPerSecond: 100, windowMs: 5000 }, () => {
    expect(endedIn).toBeUndefined();
    endedIn = second;
  });
  for (const bytes of bytesBySecond) {
    second += 1;
    rate.count(bytes);
    jest.advanceTimersByTime(1000);
  }
  rate.stop();
  jest.advanceTimersByTime(60_000);
  return endedIn;
}

const seconds = (count: number, bytes: number) => Array.from({ length: count }, () => bytes);

test('at the least rate it goes on, also in bursts', () => {
  expect(secondOfEnd(seconds(60, 100))).toBeUndefined();
  expect(secondOfEnd(seconds(60, 0).map((_, second) => (second % 5 ? 0 : 500)))).toBeUndefined();
});

test('below it, it is ended once, after the second window', () => {
  expect(secondOfEnd(seconds(60, 99))).toBe(10);
  expect(secondOfEnd(seconds(60, 0))).toBe(10);
});

test('what came before does not count: who stops sending is ended too', () => {
  expect(secondOfEnd([...seconds(20, 10_000), ...seconds(20, 0)])).toBe(25);
});

test('the first window is grace', () => {
  expect(secondOfEnd([...seconds(5, 0), ...seconds(20, 100)])).toBeUndefined();
});

test('a window in which this process stood still is not judged, and the next is grace', () => {
  let realMs = 0;
  const tooSlow = jest.fn();
  const watched = watchRate({ bytesPerSecond: 100, windowMs: 5000 }, tooSlow, () => realMs);
  const windowOf = (ms: number) => {
    realMs += ms;
    jest.advanceTimersByTime(5000);
  };
  windowOf(5000);
  watched.count(500);
  windowOf(5000);
  windowOf(60_000);
  expect(tooSlow).not.toHaveBeenCalled();
  watched.count(500);
  windowOf(5000);
  expect(tooSlow).not.toHaveBeenCalled();
  windowOf(5000);
  expect(tooSlow).toHaveBeenCalledTimes(1);
});

test('a window that ends a little late is judged', () => {
  let realMs = 0;
  const tooSlow = jest.fn();
  watchRate({ bytesPerSecond: 100, windowMs: 5000 }, tooSlow, () => realMs);
  for (let windows = 0; windows < 2; windows += 1) {
    realMs += 7000;
    jest.advanceTimersByTime(5000);
  }
  expect(tooSlow).toHaveBeenCalledTimes(1);
});

test('once it is ended nothing watches it any more', () => {
  const tooSlow = jest.fn();
  watchRate({ bytesPerSecond: 100, windowMs: 5000 }, tooSlow);
  jest.advanceTimersByTime(10_000);
  expect(tooSlow).toHaveBeenCalledTimes(1);
  expect(jest.getTimerCount()).toBe(0);
});

test('a few small pieces at the end of much are not too slow', () => {
  const tooSlow = jest.fn();
  const rate = watchRate({ bytesPerSecond: 100, windowMs: 5000 }, tooSlow);
  for (let pieces = 0; pieces < 10_000; pieces += 1) rate.count(1000);
  jest.advanceTimersByTime(5000);
  rate.count(1);
  expect(tooSlow).not.toHaveBeenCalled();
  rate.stop();
});

test('what comes in pieces of a few bytes is ended, however fast, and small files are not', () => {
  const tooSlow = jest.fn();
  const watch = () => watchRate({ bytesPerSecond: 100, windowMs: 5000 }, tooSlow);
  const rate = watch();
  for (let pieces = 1; pieces < 10_000; pieces += 1) rate.count(63);
  expect(tooSlow).not.toHaveBeenCalled();
  rate.count(63);
  rate.count(63);
  expect(tooSlow).toHaveBeenCalledTimes(1);
  const other = watch();
  for (let pieces = 1; pieces < 20_000; pieces += 1) other.count(64);
  other.stop();
  expect(tooSlow).toHaveBeenCalledTimes(1);
});

test('chunks pass at the rate; a source that falls silent is left with the failure', async () => {
  const silence = new Promise<never>(() => {});
  async function* source() {
    yield Buffer.from('a');
    yield Buffer.from('b');
    await silence;
  }
  const minimum = { bytesPerSecond: 100, windowMs: 5000 };
  const chunks = atMinimumRate(source(), minimum, () => new Error('too slow'));
  expect((await chunks.next()).value).toEqual(Buffer.from('a'));
  expect((await chunks.next()).value).toEqual(Buffer.from('b'));
  const third = chunks.next();
  jest.advanceTimersByTime(10_000);
  await expect(third).rejects.toThrow('too slow');
});

/** Chunks without end, and whether the source knows that nobody wants more of them. */
function endless() {
  const state = { isLeft: false };
  async function* source() {
    try {
      while (true) yield Buffer.from('a');
    } finally {
      state.isLeft = true;
    }
  }
  const minimum = { bytesPerSecond: 100, windowMs: 5000 };
  return { state, chunks: atMinimumRate(source(), minimum, () => new Error('too slow')) };
}

test('what was too slow while nobody waited for a chunk fails who waits next', async () => {
  const { chunks, state } = endless();
  await chunks.next();
  jest.advanceTimersByTime(10_000);
  await expect(chunks.next()).rejects.toThrow('too slow');
  expect(state.isLeft).toBe(true);
});

test('whoever leaves before the end leaves neither a timer nor the source waiting', async () => {
  const { chunks, state } = endless();
  await chunks.next();
  await chunks.return();
  expect(state.isLeft).toBe(true);
  expect(jest.getTimerCount()).toBe(0);
});

test('what has passed is held no longer, however much follows', async () => {
  jest.useRealTimers();
  const passed: WeakRef<Uint8Array>[] = [];
  async function* source() {
    for (let count = 0; count < 100; count += 1) {
      const chunk = new Uint8Array(1000);
      passed.push(new WeakRef(chunk));
      yield chunk;
    }
  }
  const minimum = { bytesPerSecond: 1, windowMs: 60_000 };
  const transfer = atMinimumRate(source(), minimum, () => new Error('too slow'));
  for (let count = 0; count < 50; count += 1) await transfer.next();
  // A chunk stays until the end of the turn in which somebody has looked at it.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(passed.filter((chunk) => chunk.deref()).length).toBeLessThan(5);
  await transfer.return();
});

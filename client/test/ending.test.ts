import { getEventListeners } from 'node:events';
import { systemClock, withTimeout } from '../src/clock.ts';
import type { Retry } from '../src/index.ts';
import { answer, createClient, failure, refuse, refuseConnection } from './client';

describe('it ends', () => {
  test('after so many attempts, with the last error', async () => {
    const { api, sent, faults } = await createClient({ maxAttempts: 3 });
    faults.push(refuseConnection, refuseConnection, refuse(503, 'OVERLOADED'));
    expect(await failure(api.getMe())).toMatchObject({ code: 'OVERLOADED', status: 503 });
    expect(sent).toHaveLength(3);
  });

  test('after five attempts and two minutes, unless told otherwise', async () => {
    const { api, sent, faults, waits } = await createClient();
    faults.push(...Array(9).fill(refuseConnection));
    expect(await failure(api.getMe())).toMatchObject({ code: 'CONNECTION_FAILED' });
    expect(sent).toHaveLength(5);
    faults.splice(0);
    faults.push(...Array(3).fill(refuse(503, 'OVERLOADED', { 'retry-after': '50' })));
    waits.length = 0;
    expect(await failure(api.getMe())).toMatchObject({ code: 'OVERLOADED' });
    expect(waits).toEqual([50_500, 51_000]);
  });

  test('after so much time', async () => {
    const { api, faults, waits } = await createClient({ maxAttempts: 100, totalTimeoutMs: 3500 });
    faults.push(...Array(100).fill(refuseConnection));
    expect(await failure(api.getMe())).toMatchObject({ code: 'CONNECTION_FAILED' });
    expect(waits).toEqual([500, 1000]);
  });

  test('an attempt, when nothing comes', async () => {
    const { api, faults } = await createClient({ timeoutMs: 1, maxAttempts: 1 });
    faults.push(() => new Promise(() => {}));
    expect(await failure(api.getMe())).toMatchObject({
      code: 'TIMEOUT',
      status: undefined,
      cause: new Error('Nothing came within 1 ms.'),
    });
  });

  test('an attempt, after a minute unless told otherwise', async () => {
    const { api, faults } = await createClient({ maxAttempts: 1 });
    jest.useFakeTimers();
    faults.push(() => new Promise(() => {}));
    const failed = failure(api.getMe());
    jest.advanceTimersByTime(60_000);
    expect(await failed).toMatchObject({ code: 'TIMEOUT' });
  });

  test('and lets go of the connection of an attempt that nothing came of', async () => {
    let given: AbortSignal | null | undefined;
    const { api } = await createClient({
      timeoutMs: 1,
      maxAttempts: 1,
      fetch: (_, { signal }) => {
        given = signal;
        return new Promise(() => {});
      },
    });
    await failure(api.getMe());
    expect(given?.aborted).toBe(true);
  });

  test('an attempt, when the time of the whole call is over', async () => {
    const { api, faults } = await createClient({ totalTimeoutMs: 1 });
    faults.push(() => new Promise(() => {}));
    expect(await failure(api.getMe())).toMatchObject({ code: 'TIMEOUT' });
  });

  test('without another attempt, where its machine has slept until the time was over', async () => {
    let now = 0;
    const { api, sent, faults } = await createClient({
      now: () => now,
      sleep: async () => {
        now += 3_600_000;
      },
    });
    faults.push(refuse(503, 'OVERLOADED'));
    expect(await failure(api.getMe())).toMatchObject({ code: 'OVERLOADED', status: 503 });
    expect(sent).toHaveLength(1);
  });

  test('an attempt, when an answer does not go on', async () => {
    const { api, faults } = await createClient({ maxAttempts: 1 });
    faults.push(answer(200, {}, new ReadableStream({ pull: () => new Promise(() => {}) })));
    const error = await failure(api.getMe({}, { timeoutMs: 1 }));
    expect(error).toMatchObject({ code: 'TIMEOUT' });
  });

  test('not at once, where a timeout is longer than timers can be', async () => {
    const { api } = await createClient({ timeoutMs: Infinity, totalTimeoutMs: Infinity });
    expect(await api.getMe()).toBeDefined();
  });

  test('with the signal’s reason, before, within and between attempts', async () => {
    const reason = new Error('Enough');
    const { api, sent, faults } = await createClient();
    expect(await failure(api.getMe({}, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(sent).toEqual([]);
    const within = new AbortController();
    faults.push(() => {
      within.abort(reason);
      return new Promise(() => {});
    });
    expect(await failure(api.getMe({}, { signal: within.signal }))).toBe(reason);
    const between = new AbortController();
    const { api: other, faults: othersFaults } = await createClient({
      onRetry: () => between.abort(reason),
    });
    othersFaults.push(refuseConnection);
    expect(await failure(other.getMe({}, { signal: between.signal }))).toBe(reason);
  });

  test('with that reason also within the last attempt, and nobody is told of another', async () => {
    const reason = new Error('Enough');
    const retries: Retry[] = [];
    for (const maxAttempts of [1, 5]) {
      const ending = new AbortController();
      const { api, faults } = await createClient({
        maxAttempts,
        onRetry: (retry) => retries.push(retry),
      });
      faults.push(() => {
        ending.abort(reason);
        return new Promise(() => {});
      });
      expect(await failure(api.getMe({}, { signal: ending.signal }))).toBe(reason);
    }
    expect(retries).toEqual([]);
  });

  test('with that reason or an error of its own, in whichever moment of a failure', async () => {
    const reason = new Error('Enough');
    for (let moment = 0; moment < 20; moment += 1) {
      const ending = new AbortController();
      const { signal } = ending;
      const abort = async () => {
        for (let passed = 0; passed < moment; passed += 1) await null;
        ending.abort(reason);
      };
      const { api } = await createClient({
        maxAttempts: 1,
        fetch: async () => {
          queueMicrotask(abort);
          throw new TypeError('fetch failed');
        },
      });
      const error = await failure(api.getMe({}, { signal }));
      if (error !== reason) expect(error).toMatchObject({ code: 'CONNECTION_FAILED' });
    }
  });
});

test('real timers wait, and stop waiting when told', async () => {
  const waiting = new AbortController();
  const { api, faults } = await createClient({
    sleep: undefined,
    now: undefined,
    onRetry: () => queueMicrotask(() => waiting.abort(new Error('Enough'))),
  });
  faults.push(refuse(503, 'OVERLOADED', { 'retry-after': '60' }));
  expect(await failure(api.getMe({}, { signal: waiting.signal }))).toEqual(new Error('Enough'));
  const stopped = new AbortController();
  const late = await createClient({
    sleep: undefined,
    onRetry: () => stopped.abort(new Error('Enough')),
  });
  late.faults.push(refuse(503, 'OVERLOADED', { 'retry-after': '60' }));
  const ended = late.api.getMe({}, { signal: stopped.signal });
  expect(await failure(ended)).toEqual(new Error('Enough'));
  const quick = await createClient({ sleep: undefined, random: () => 0 });
  quick.faults.push(refuseConnection);
  const { signal } = new AbortController();
  await quick.api.getMe({}, { signal });
  expect(quick.sent).toHaveLength(2);
  // One that lives as long as its process gathers nothing.
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('calls under way share one listener on a signal, and each of them ends with it', async () => {
  const ending = new AbortController();
  const { signal } = ending;
  const { api, faults } = await createClient({ sleep: undefined, random: () => 0 });
  faults.push(...Array(10).fill(() => new Promise(() => {})));
  faults.push(...Array(10).fill(refuse(503, 'OVERLOADED', { 'retry-after': '60' })));
  const waiting = Array.from({ length: 20 }, () => failure(api.getMe({}, { signal })));
  await api.getMe({}, { signal });
  // Node warns of more than ten as of a leak.
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  const reason = new Error('Enough');
  ending.abort(reason);
  expect(await Promise.all(waiting)).toEqual(Array(20).fill(reason));
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('no timer is left that would keep a program from its end', async () => {
  jest.useFakeTimers();
  await withTimeout(async () => 'an answer', 60_000);
  await failure(withTimeout(() => Promise.reject(new Error('lost')), 60_000));
  const { signal } = new AbortController();
  await withTimeout(async () => 'an answer', 60_000, signal);
  const ending = new AbortController();
  const waiting = systemClock.sleep(60_000, ending.signal);
  expect(jest.getTimerCount()).toBe(1);
  ending.abort(new Error('Enough'));
  expect(await failure(waiting)).toEqual(new Error('Enough'));
  expect(jest.getTimerCount()).toBe(0);
});

test('a wait that is longer than timers can be does not end at once', async () => {
  const ending = new AbortController();
  const { api, sent, faults } = await createClient({
    sleep: undefined,
    // A timer that is too long rings after a millisecond.
    onRetry: () => setTimeout(() => ending.abort(new Error('Enough')), 20),
  });
  const month = refuse(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': String(31 * 86_400) });
  faults.push(...Array(100).fill(month));
  const pages = api.followEvents({ signal: ending.signal }).pages();
  expect(await failure(pages.next())).toEqual(new Error('Enough'));
  expect(sent).toHaveLength(1);
});

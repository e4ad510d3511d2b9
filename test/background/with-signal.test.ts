/** @jest-environment ./test/helpers/own-environment.ts */
import { getEventListeners } from 'node:events';
import { withSignal } from '@/src/background/with-signal';

const longMs = 60_000;

/** What ends a task that waits for nothing but its signal. */
const endOf = (signal: AbortSignal) =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(signal.reason);
    else signal.addEventListener('abort', () => resolve(signal.reason));
  });

test('a stop ends a task with its reason, also one that begins after it', async () => {
  const stop = new AbortController();
  const running = withSignal({ stop: stop.signal, timeoutMs: longMs }, endOf);
  stop.abort('the process stops');
  expect(await running).toBe('the process stops');
  const late = withSignal({ stop: stop.signal, timeoutMs: longMs }, endOf);
  expect(await late).toBe('the process stops');
});

test.each([undefined, new AbortController().signal])(
  'so does the time that it is given',
  async (stop) => {
    expect(await withSignal({ stop, timeoutMs: 1 }, endOf)).toMatchObject({ name: 'TimeoutError' });
  },
);

test('a task that has ended leaves nothing behind, neither on the signal nor a timer', async () => {
  jest.useFakeTimers();
  const stop = new AbortController();
  const options = { stop: stop.signal, timeoutMs: longMs };
  expect(await withSignal(options, async () => 'done')).toBe('done');
  const failing = withSignal(options, async () => {
    expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1);
    throw new Error('failed');
  });
  await expect(failing).rejects.toThrow('failed');
  expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0);
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});

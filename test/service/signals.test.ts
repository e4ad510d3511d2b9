import { log } from '@/src/logging/log';
import { endAtStopSignal, onStopSignal, stopTimeoutMs } from '@/src/service/signals';

let exit: jest.SpyInstance;

beforeEach(() => {
  jest.useFakeTimers();
  // Nothing comes after it, as in a process that ends.
  exit = jest.spyOn(process, 'exit').mockImplementation(() => {
    throw new Error('ended');
  });
});

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

test.each([
  ['true', true, 0],
  ['false', false, 1],
])('a process whose stop resolves to %s ends with its code', async (_, isInOrder, code) => {
  await expect(onStopSignal(async () => isInOrder)()).rejects.toThrow('ended');
  expect(exit.mock.calls).toEqual([[code]]);
});

test('a stop that fails is logged, and the process ends with 1', async () => {
  const logged = jest.spyOn(log(), 'error').mockImplementation(() => {});
  const failure = new Error('ENOSPC: no space left on device');
  await expect(onStopSignal(() => Promise.reject(failure))()).rejects.toThrow('ended');
  expect(logged.mock.calls).toEqual([[{ err: failure }, expect.any(String)]]);
  expect(exit.mock.calls).toEqual([[1]]);
});

test('a stop that never ends is ended with 1, and is asked for once', async () => {
  const stop = jest.fn(() => new Promise<boolean>(() => {}));
  const begin = onStopSignal(stop);
  void begin();
  await begin();
  expect(() => jest.advanceTimersByTime(stopTimeoutMs)).toThrow('ended');
  expect(exit.mock.calls).toEqual([[1]]);
  expect(stop).toHaveBeenCalledTimes(1);
});

test('the first process of a container ends at a signal as it starts, which would be ignored there', () => {
  endAtStopSignal(1);
  expect(() => process.emit('SIGTERM', 'SIGTERM')).toThrow('ended');
  expect(exit.mock.calls).toEqual([[143]]);
  const stop = jest.fn(() => new Promise<boolean>(() => {}));
  onStopSignal(stop);
  process.emit('SIGTERM', 'SIGTERM');
  expect(stop).toHaveBeenCalledTimes(1);
  expect(exit).toHaveBeenCalledTimes(1);
});

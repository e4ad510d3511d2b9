import { watchPulse } from '@/src/service/workers/pulse';
import { fakeWorker } from './fake-worker';

const everyMs = 10_000;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('one that leaves six questions in a row unanswered is killed, once', () => {
  const { pulse, told, kill } = watched();
  pulse.begin();
  jest.advanceTimersByTime(3 * everyMs);
  pulse.hear();
  jest.advanceTimersByTime(6 * everyMs);
  expect(kill).not.toHaveBeenCalled();
  expect(told).toEqual(Array.from({ length: 9 }, () => ({ kind: 'pulse-wanted' })));
  jest.advanceTimersByTime(everyMs);
  expect(kill.mock.calls).toEqual([['SIGKILL']]);
  jest.advanceTimersByTime(4 * everyMs);
  expect(kill).toHaveBeenCalledTimes(1);
});

test('one that answers late, but answers, is left alone', () => {
  const { pulse, kill } = watched();
  pulse.begin();
  for (let minute = 0; minute < 60; minute += 1) {
    jest.advanceTimersByTime(6 * everyMs);
    pulse.hear();
  }
  expect(kill).not.toHaveBeenCalled();
});

test('one that still starts is not asked, nor one that has ended', () => {
  const { pulse, told, kill } = watched();
  jest.advanceTimersByTime(60 * everyMs);
  pulse.begin();
  jest.advanceTimersByTime(2 * everyMs);
  pulse.end();
  jest.advanceTimersByTime(60 * everyMs);
  expect(told).toHaveLength(2);
  expect(kill).not.toHaveBeenCalled();
});

function watched() {
  const { worker, told } = fakeWorker();
  const kill = jest.fn();
  Object.assign(worker, { process: { kill } });
  return { pulse: watchPulse(worker, { number: 1, everyMs }), told, kill };
}

/** @jest-environment ./test/helpers/own-environment.ts */
import { within } from '@/src/time-limit';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const never = new Promise<string>(() => {});

test('a task that ends in time gives its own end, and leaves no timer', async () => {
  await expect(within(1000, Promise.resolve('done'), () => 'late')).resolves.toBe('done');
  const failing = Promise.reject(new Error('failed'));
  await expect(within(1000, failing, () => 'late')).rejects.toThrow('failed');
  expect(jest.getTimerCount()).toBe(0);
});

test('one that does not is given up once the time is over, by what is returned or thrown then', async () => {
  const late = within(1000, never, () => 'late');
  const refused = within(1000, never, () => {
    throw new Error('too late');
  });
  jest.advanceTimersByTime(1000);
  await expect(late).resolves.toBe('late');
  await expect(refused).rejects.toThrow('too late');
});

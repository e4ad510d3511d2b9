import { minuteMs } from '@/src/ui/time/durations';

const machineMs = Date.UTC(2026, 0, 1, 12);

/** A page that has just loaded, on a machine whose clock stands still. */
async function openPage({ isOnServer = false } = {}) {
  jest.resetModules();
  if (!isOnServer) Object.defineProperty(global, 'window', { value: {}, configurable: true });
  jest.spyOn(Date, 'now').mockReturnValue(machineMs);
  return import('@/src/ui/time/service-clock');
}

afterEach(() => {
  Reflect.deleteProperty(global, 'window');
});

test.each([
  ['behind', -60 * minuteMs],
  ['just so much behind that it is noticed', -2 * minuteMs],
  ['just so much ahead that it is noticed', 2 * minuteMs],
  ['ahead', 60 * minuteMs],
])('the present is that of the service where the own clock is %s', async (_, aheadMs) => {
  const { noteServiceTime, serviceNow } = await openPage();
  expect(serviceNow()).toBe(machineMs);
  noteServiceTime(machineMs - aheadMs);
  expect(serviceNow()).toBe(machineMs - aheadMs);
});

test.each([1 - 2 * minuteMs, 2 * minuteMs - 1])(
  'a late answer is no wrong clock, nor is one that has been set right: %i ms',
  async (aheadMs) => {
    const { noteServiceTime, serviceNow } = await openPage();
    noteServiceTime(machineMs - 60 * minuteMs);
    noteServiceTime(machineMs - aheadMs);
    expect(serviceNow()).toBe(machineMs);
  },
);

test('an answer without a time says nothing of the clock', async () => {
  const { noteServiceTime, serviceNow } = await openPage();
  noteServiceTime(machineMs - 60 * minuteMs);
  noteServiceTime(Number.NaN);
  expect(serviceNow()).toBe(machineMs - 60 * minuteMs);
});

test('the server goes by its own clock, which is that of no reader', async () => {
  const { noteServiceTime, serviceNow } = await openPage({ isOnServer: true });
  noteServiceTime(machineMs - 60 * minuteMs);
  expect(serviceNow()).toBe(machineMs);
});

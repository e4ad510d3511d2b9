import fc from 'fast-check';
import { retryDelayMs, retryScheduleMs } from '@/src/webhooks/sending/backoff';

const now = new Date('2026-01-15T10:30:00Z');
const failure = { step: 0, status: 500, retryAfter: undefined };
const middle = () => 0.5;

test('the steps are 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h', () => {
  const steps = retryScheduleMs.map((_, step) => retryDelayMs({ ...failure, step }, now, middle));
  const seconds = steps.map((ms) => (ms ?? 0) / 1000);
  expect(seconds).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
  expect(retryDelayMs({ ...failure, step: 9 }, now, middle)).toBeUndefined();
});

test('each step is spread by a fifth to either side', () => {
  expect(retryDelayMs(failure, now, () => 0)).toBe(4000);
  expect(retryDelayMs(failure, now, () => 1)).toBe(6000);
});

test.each([
  ['7', 7000],
  ['1', 5000],
  ['0', 5000],
  ['3600', 10_000],
  ['Thu, 15 Jan 2026 10:30:08 GMT', 8000],
  ['Thu, 15 Jan 2026 10:00:00 GMT', 5000],
  ['Thursday, 15-Jan-26 10:30:06 GMT', 6000],
])('Retry-After: %s is honoured within one to two times the step', (retryAfter, expectedMs) => {
  expect(retryDelayMs({ ...failure, retryAfter }, now, () => 0)).toBe(expectedMs);
});

test.each(['', 'soon', '-5', '1.5', '5 seconds', '2026-01-15'])(
  'Retry-After: %s is ignored',
  (value) => {
    // Below the step, which nobody can ask for.
    expect(retryDelayMs({ ...failure, retryAfter: value }, now, () => 0)).toBe(4000);
  },
);

test('429 waits a minute at least', () => {
  expect(retryDelayMs({ ...failure, status: 429 }, now, middle)).toBe(60_000);
  expect(retryDelayMs({ ...failure, status: 429, retryAfter: '8' }, now, middle)).toBe(60_000);
  expect(retryDelayMs({ ...failure, status: 429, step: 1 }, now, middle)).toBe(300_000);
});

test('whatever a receiver says, the wait is between four fifths of the step and twice the step', () => {
  fc.assert(
    fc.property(
      fc.nat(8),
      fc.option(fc.string(), { nil: undefined }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (step, retryAfter, random) => {
        const stepMs = retryScheduleMs[step] ?? 0;
        const delayMs = retryDelayMs({ step, status: 503, retryAfter }, now, () => random) ?? -1;
        expect(delayMs).toBeGreaterThanOrEqual(stepMs * 0.8);
        expect(delayMs).toBeLessThanOrEqual(stepMs * 2);
      },
    ),
  );
});

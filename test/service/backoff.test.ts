import { createBackoff } from '@/src/service/workers/backoff';

test('who dies again and again is started ever later, up to half a minute', () => {
  const { nextMs } = createBackoff();
  const waits = Array.from({ length: 10 }, () => nextMs(100));
  expect(waits).toEqual([0, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
});

test('who has served for a minute is replaced at once', () => {
  const { nextMs } = createBackoff();
  nextMs(0);
  expect(nextMs(10)).toBe(500);
  expect(nextMs(60_000)).toBe(0);
  expect(nextMs(10)).toBe(500);
});

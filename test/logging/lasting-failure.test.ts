import { createLastingFailure } from '@/src/logging/lasting-failure';

test('of a failure that goes on, the first is told and one a minute, with how many there were', () => {
  let now = 0;
  const failure = createLastingFailure({ now: () => now });
  const told: (number | undefined)[] = [];
  for (; now <= 120_000; now += 20_000) told.push(failure.add());
  expect(told).toEqual([1, undefined, undefined, 3, undefined, undefined, 3]);
});

test('what succeeds ends it, once, and the next is told at once', () => {
  const failure = createLastingFailure({ now: () => 0 });
  expect(failure.end()).toBe(false);
  failure.add();
  expect(failure.add()).toBeUndefined();
  expect(failure.end()).toBe(true);
  expect(failure.end()).toBe(false);
  expect(failure.add()).toBe(1);
});

import { oneAtATime } from '@/src/service/workers/one-at-a-time';

test('calls that come while it runs have it run once more, and later ones again', async () => {
  const ends: (() => void)[] = [];
  const run = oneAtATime(() => new Promise((end) => ends.push(end)));
  const first = run();
  run();
  run();
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await Promise.resolve();
  expect(ends).toHaveLength(2);
  ends[1]?.();
  await first;
  expect(ends).toHaveLength(2);
  const later = run();
  expect(ends).toHaveLength(3);
  ends[2]?.();
  await later;
});

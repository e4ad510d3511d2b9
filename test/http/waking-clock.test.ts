import { createWakingClock } from '@/src/http/waking-clock';

function handDriven() {
  let realMs = 1_000;
  const clock = createWakingClock(2_000, () => realMs);
  return {
    clock,
    pass: (ms: number) => {
      realMs += ms;
    },
  };
}

test('goes as any other while it is looked at', () => {
  const { clock, pass } = handDriven();
  pass(500);
  expect(clock.now()).toBe(500);
  for (let looks = 1; looks <= 10; looks += 1) {
    pass(looks === 1 ? 1_500 : 2_000);
    clock.look();
    expect(clock.now()).toBe(looks * 2_000);
  }
  expect(clock.stops()).toBe(0);
});

test('goes on by one step while it is not, before and after it is looked at again', () => {
  const { clock, pass } = handDriven();
  pass(60_000);
  expect([clock.now(), clock.stops()]).toEqual([2_000, 1]);
  clock.look();
  expect([clock.now(), clock.stops()]).toEqual([2_000, 1]);
  pass(1_000);
  expect([clock.now(), clock.stops()]).toEqual([3_000, 1]);
});

test('a look that is a little late is no stop', () => {
  const { clock, pass } = handDriven();
  pass(3_900);
  clock.look();
  expect([clock.now(), clock.stops()]).toEqual([2_000, 0]);
});

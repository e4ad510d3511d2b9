/** @jest-environment ./test/helpers/own-environment.ts */
import { createHeldLeases } from '@/src/background/held-leases';

const everyMs = 1000;

beforeEach(() => {
  jest.useFakeTimers();
});

test('what is held is renewed until the last of it is released', async () => {
  const renewed: string[][] = [];
  const leases = createHeldLeases<string>({
    everyMs,
    renew: async (held) => void renewed.push([...held]),
  });
  leases.hold('a');
  leases.hold('b');
  await jest.advanceTimersByTimeAsync(everyMs);
  leases.release('a');
  await jest.advanceTimersByTimeAsync(everyMs);
  leases.release('b');
  await jest.advanceTimersByTimeAsync(10 * everyMs);
  expect(renewed).toEqual([['a', 'b'], ['b']]);
  expect(jest.getTimerCount()).toBe(0);
  leases.hold('c');
  await jest.advanceTimersByTimeAsync(everyMs);
  expect(renewed.at(-1)).toEqual(['c']);
});

test('while one renewal is unanswered no other begins', async () => {
  const answers: (() => void)[] = [];
  const leases = createHeldLeases<string>({
    everyMs,
    renew: () => new Promise((answer) => answers.push(answer)),
  });
  leases.hold('a');
  await jest.advanceTimersByTimeAsync(10 * everyMs);
  expect(answers).toHaveLength(1);
  answers[0]?.();
  await jest.advanceTimersByTimeAsync(everyMs);
  expect(answers).toHaveLength(2);
});

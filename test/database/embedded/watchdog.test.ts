import { createWorkClock, watchWork } from '@/src/database/embedded/watchdog';
import { endOf } from './ended-process';

test.each([
  [
    'never answers',
    'stuck',
    /The embedded database in memory has not answered a statement for \d+ s/,
  ],
  [
    'never answers, and whose folder is gone,',
    'lost',
    /The embedded database in \S+ has not answered a statement for \d+ s/,
  ],
  ['breaks off in its answer', 'mute', /The backend answers no more/],
  ['is gone', 'gone', /The embedded database has stopped/],
])(
  'a database that %s ends its process, which says why',
  async (_, what, reason) => {
    const { code, complaint } = await endOf('stuck-process.ts', what);
    expect(code).toBe(1);
    expect(complaint).toMatch(reason);
  },
  180_000,
);

describe('work that takes seconds', () => {
  /** At work, which began at `beganMs`, or at 0, and has then taken so long. */
  type Look = { takenMs: number; isFull: boolean; beganMs?: number };

  /** Looks once a second. Returns what the work was given up after. */
  function givenUpAfter(looks: Look[]): number | undefined {
    const clock = createWorkClock();
    const inNanoseconds = (ms: number) => 1_000_000_000_000n + BigInt(ms) * 1_000_000n;
    let look: Look = { takenMs: 0, isFull: false };
    jest.useFakeTimers({ doNotFake: ['hrtime'] });
    jest
      .spyOn(process.hrtime, 'bigint')
      .mockImplementation(() => inNanoseconds((look.beganMs ?? 0) + look.takenMs));
    const onStuck = jest.fn();
    const isHopeless = () => look.isFull;
    const watchdog = watchWork(clock, { limitMs: 60_000, isHopeless, onStuck });
    for (look of looks) {
      Atomics.store(clock, 0, inNanoseconds(look.beganMs ?? 0));
      jest.advanceTimersByTime(1_000);
    }
    watchdog.stop();
    jest.useRealTimers();
    expect(onStuck.mock.calls.length).toBeLessThanOrEqual(1);
    return onStuck.mock.calls[0]?.[0];
  }

  test('is given up after three on a full disk, where it would never end', () => {
    const looks = [900, 1_900, 2_900, 3_900].map((takenMs) => ({ takenMs, isFull: true }));
    expect(givenUpAfter(looks)).toBe(3_900);
  });

  test('and also where there is room again meanwhile, which it does not notice', () => {
    const full = { takenMs: 900, isFull: true };
    const looks = [1_900, 2_900, 3_900].map((takenMs) => ({ takenMs, isFull: false }));
    expect(givenUpAfter([full, ...looks])).toBe(3_900);
  });

  test('has its minute else', () => {
    expect(givenUpAfter(everySecond(62))).toBe(60_900);
  });

  test('has it for itself, whatever was done before', () => {
    const next = everySecond(40).map((look) => ({ ...look, beganMs: 40_000 }));
    expect(givenUpAfter([...everySecond(40), ...next])).toBeUndefined();
  });

  test('is not given up for a time in which its process stood still', () => {
    const asleepMs = 600_000;
    const [before, after] = [everySecond(30), everySecond(32).map(later(asleepMs + 30_000))];
    expect(givenUpAfter([...before, ...after.slice(0, 29)])).toBeUndefined();
    expect(givenUpAfter([...before, ...after])).toBe(60_900);
  });

  function everySecond(seconds: number): { takenMs: number; isFull: boolean }[] {
    return Array.from({ length: seconds }, (_, index) => ({
      takenMs: index * 1_000 + 900,
      isFull: false,
    }));
  }

  const later = (ms: number) => (look: { takenMs: number; isFull: boolean }) => ({
    ...look,
    takenMs: look.takenMs + ms,
  });
});

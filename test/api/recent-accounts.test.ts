import { noteRequestOf, restMsAfter } from '@/src/api/recent-accounts';

beforeEach(() => {
  jest.useFakeTimers();
  // Who has asked in an earlier test did so long ago.
  jest.advanceTimersByTime(10_000);
});

test('an account alone leaves no time to others', () => {
  expect(restMsAfter('a', 50)).toBe(0);
  noteRequestOf('a');
  noteRequestOf('a');
  expect(restMsAfter('a', 50)).toBe(0);
});

test('where another has asked, it leaves as much as it took, a second at most', () => {
  noteRequestOf('b');
  expect(restMsAfter('a', 50)).toBe(50);
  noteRequestOf('a');
  noteRequestOf('a');
  expect(restMsAfter('a', 50)).toBe(50);
  expect(restMsAfter('a', 5_000)).toBe(1_000);
});

test('a second after the other has asked, it leaves none', () => {
  noteRequestOf('b');
  jest.advanceTimersByTime(999);
  noteRequestOf('a');
  expect(restMsAfter('a', 50)).toBe(50);
  jest.advanceTimersByTime(1);
  expect(restMsAfter('a', 50)).toBe(0);
});

import { tmpdir } from 'node:os';
import {
  freeBytes,
  isFull,
  requireFreeSpace,
  watchFreeSpace,
} from '../../../src/database/embedded/free-space';
import { log } from '../../../src/logging/log';

const mebibyte = 1024 ** 2;

/** What is logged, as `level message`. */
function captureLog(): string[] {
  const lines: string[] = [];
  for (const level of ['warn', 'info'] as const) {
    jest
      .spyOn(log(), level)
      .mockImplementation((...args: unknown[]) => lines.push(`${level} ${args[1]}`));
  }
  return lines;
}

test('a disk that is as good as full is refused, with what to do', () => {
  expect(() => requireFreeSpace('/data', () => 31 * mebibyte)).toThrow(
    'The disk of /data is full: 31 MiB are left, and the embedded database needs 32 MiB. Make room',
  );
});

test('little room is warned of once, at the start and when it comes about, and so is its end', () => {
  const lines = captureLog();
  jest.useFakeTimers();
  let left = 100 * mebibyte;
  const stop = watchFreeSpace('/data', () => left);
  expect(lines).toEqual([expect.stringContaining('warn little room')]);
  jest.advanceTimersByTime(60_000);
  expect(lines).toHaveLength(1);
  left = 10_000 * mebibyte;
  jest.advanceTimersByTime(10_000);
  left = mebibyte;
  jest.advanceTimersByTime(10_000);
  expect(lines.slice(1)).toEqual([
    expect.stringContaining('info there is room'),
    expect.stringContaining('warn little room'),
  ]);
  stop();
  left = 10_000 * mebibyte;
  jest.advanceTimersByTime(60_000);
  expect(lines).toHaveLength(3);
});

test('a disk without room for a piece of the log is full; one that cannot be read is not', () => {
  expect(isFull('/data', () => 15 * mebibyte)).toBe(true);
  expect(isFull('/data', () => 16 * mebibyte)).toBe(false);
  const unreadable = () => {
    throw new Error('gone');
  };
  expect(isFull('/data', unreadable)).toBe(false);
});

test('the room on this disk can be read', () => {
  expect(freeBytes(tmpdir())).toBeGreaterThan(0);
});

import { log } from '@/src/logging/log';

/** What is logged at these levels from now on, in its order: the arguments of each line, which is not written. */
export function logLines(...levels: ('info' | 'warn' | 'error')[]): unknown[][] {
  const lines: unknown[][] = [];
  for (const level of levels) {
    jest.spyOn(log(), level).mockImplementation((...line: unknown[]) => void lines.push(line));
  }
  return lines;
}

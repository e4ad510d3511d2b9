import type { ChildProcess } from 'node:child_process';

/** Ends a process that leads a group (`detached`), and whatever it has started. */
export function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

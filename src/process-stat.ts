import { readFileSync } from 'node:fs';

/** Linux counts processor time for /proc in hundredths of a second, on every architecture. */
export const tickMs = 10;

/**
 * What Linux tells of a process: the fields of proc_pid_stat(5) from the third on.
 * @throws where there is no such process, or no /proc
 */
export function readProcessStat(pid: number | string): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second is the command's name in parentheses, which may hold spaces and parentheses.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

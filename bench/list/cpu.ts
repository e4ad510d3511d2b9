/** CPU time of processes on this machine, from /proc. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Client } from 'pg';
import { readProcessStat, tickMs } from '../../src/process-stat';

type Process = { pid: number; parent: number; ownMs: number; reapedMs: number };

/** Milliseconds that a process and its descendants have used so far, those that ended included. */
export function cpuOfTree(root: number): number {
  const processes = readProcesses();
  const tree = new Set([root]);
  // Children may have lower numbers than their parents once numbers start again.
  for (let size = 0; size !== tree.size; ) {
    size = tree.size;
    for (const { pid, parent } of processes) if (tree.has(parent)) tree.add(pid);
  }
  return processes
    .filter(({ pid }) => tree.has(pid))
    .reduce((sum, { ownMs, reapedMs }) => sum + ownMs + reapedMs, 0);
}

/**
 * Milliseconds that the whole Postgres server has used so far, but for sessions in databases other
 * than the benchmarks', as long as they last. Parallel workers end with their query: their time is counted once they have.
 */
export async function cpuOfPostgres(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number; is_other: boolean }>(
    `SELECT pid, pid <> pg_backend_pid() AS is_other FROM pg_stat_activity
     WHERE pid = pg_backend_pid() OR datname NOT LIKE 'testimonials_bench_%'`,
  );
  const own = rows.find(({ is_other }) => !is_other);
  const others = new Set(rows.filter(({ is_other }) => is_other).map(({ pid }) => pid));
  const processes = readProcesses();
  const postmaster = processes.find(({ pid }) => pid === own?.pid)?.parent;
  return processes.reduce((sum, { pid, parent, ownMs, reapedMs }) => {
    if (pid === postmaster) return sum + ownMs + reapedMs;
    return parent === postmaster && !others.has(pid) ? sum + ownMs : sum;
  }, 0);
}

/** Bytes of memory that a process holds. */
export function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

/** Whether the Postgres server behind a connection runs here, where /proc shows it. */
export async function isLocal(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const commandLine = `/proc/${rows[0]?.pid}/cmdline`;
  return existsSync(commandLine) && readFileSync(commandLine, 'utf8').startsWith('postgres');
}

function readProcesses(): Process[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readProcess(name) : []));
}

function readProcess(pid: string): Process[] {
  let stat: string[];
  try {
    stat = readProcessStat(pid);
  } catch {
    return []; // It has just ended.
  }
  const ms = (field: number) => Number(stat[field]) * tickMs;
  return [
    {
      pid: Number(pid),
      parent: Number(stat[1]),
      ownMs: ms(11) + ms(12),
      reapedMs: ms(13) + ms(14),
    },
  ];
}

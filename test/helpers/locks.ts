import type { Client } from 'pg';

/**
 * Resolves once another session waits for what this one has locked, to the process ids of those that
 * do. Not by pg_stat_activity, which stays as it was first read in a transaction.
 */
export async function untilSomebodyWaits(holder: Client): Promise<number[]> {
  for (;;) {
    const { rows } = await holder.query<{ pid: number }>(
      `SELECT DISTINCT pid FROM pg_locks
       WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`,
    );
    if (rows.length > 0) return rows.map(({ pid }) => pid);
  }
}

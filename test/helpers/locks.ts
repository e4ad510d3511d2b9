import { Client } from 'pg';
import { env } from '@/src/env';

/**
 * An embedded database is one process's and has one session: only on a server can two meet at a row, or
 * one outlive the other.
 */
export const onServer = process.env.TEST_DATABASE_URL ? test : test.skip;

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

/**
 * Runs `task` while another session has begun `statement`, which is committed as soon as it is waited
 * for.
 */
export async function during<T>(
  [statement, ...values]: [string, ...unknown[]],
  task: () => Promise<T>,
): Promise<T> {
  const other = new Client({ connectionString: env().DATABASE_URL });
  await other.connect();
  try {
    await other.query('BEGIN');
    await other.query(statement, values);
    const done = task();
    await Promise.race([untilSomebodyWaits(other), done]);
    await other.query('COMMIT');
    return await done;
  } finally {
    await other.end();
  }
}

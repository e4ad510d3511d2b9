import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Pool } from 'pg';
import { env } from '@/src/env';

/**
 * An embedded database is one process's and has one session: only on a server can two meet at a row, or
 * one outlive the other.
 */
export const onServer = process.env.TEST_DATABASE_URL ? test : test.skip;

/** Also for what only a server has: settings that sessions begin with, and copies. */
export const describeOnServer = process.env.TEST_DATABASE_URL ? describe : describe.skip;

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
 * How many sessions of this database wait, for one that has a lock or for one another. Asked within a
 * transaction, it stays as it was at first.
 */
export async function countWaiting(looker: Client | Pool): Promise<number> {
  const { rows } = await looker.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0]?.count ?? 0;
}

/** Resolves once so many wait. */
export async function untilWaiting(looker: Client | Pool, count: number): Promise<void> {
  while ((await countWaiting(looker)) !== count) await sleep(20);
}

/** Runs `task` with another session in the middle of a transaction, which is undone where it is not committed. */
export async function withHolder<T>(task: (holder: Client) => Promise<T>): Promise<T> {
  const holder = new Client({ connectionString: env().DATABASE_URL });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    return await task(holder);
  } finally {
    await holder.end();
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
  return withHolder(async (holder) => {
    await holder.query(statement, values);
    const done = task();
    await Promise.race([untilSomebodyWaits(holder), done]);
    await holder.query('COMMIT');
    return await done;
  });
}

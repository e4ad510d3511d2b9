import type { Client } from 'pg';
import { z } from 'zod';
import { askAside } from '../connections/ask-aside';

const mostTold = 5;

const sessionSchema = z.tuple([z.object({ pid: z.number() })]);
const holdersSchema = z.array(
  z.object({ pid: z.number(), name: z.string(), state: z.string(), seconds: z.number() }),
);

/**
 * Runs what may wait for locks within the transaction that `client` is in, and meanwhile says who holds
 * them, once of each session and of none that is waited for less than `lookEveryMs`. Asks over a
 * connection of its own, and says nothing where that fails.
 * @throws what `work` throws
 */
export async function sayingWhoHolds<T>(
  client: Client,
  {
    url,
    say,
    lookEveryMs = 10_000,
  }: { url: string; say: (line: string) => void; lookEveryMs?: number | undefined },
  work: () => Promise<T>,
): Promise<T> {
  // Behind a pooler it is this one for as long as the transaction.
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  const [session] = sessionSchema.parse(rows);
  const told = new Set<number>();
  let isOver = false;
  async function look(): Promise<void> {
    const holders = await holdersOf(url, session.pid).catch(() => []);
    for (const { pid, name, state, seconds } of holders) {
      if (isOver || told.has(pid)) continue;
      told.add(pid);
      const line = `Waiting for a lock that session ${pid} holds (${name}, ${state}, begun ${seconds} s ago).`;
      // One that works may be another instance, which migrates.
      const isIdle = state.startsWith('idle');
      say(isIdle ? `${line} SELECT pg_terminate_backend(${pid}) would end it.` : line);
    }
  }
  const timer = setInterval(() => void look(), lookEveryMs);
  try {
    return await work();
  } finally {
    isOver = true;
    clearInterval(timer);
  }
}

function holdersOf(url: string, pid: number): Promise<z.infer<typeof holdersSchema>> {
  return askAside(url, async (client) => {
    // Of another user's session little may be seen.
    const { rows } = await client.query(
      `SELECT pid, coalesce(nullif(application_name, ''), backend_type, 'unknown') AS name,
        coalesce(state, 'at work') AS state,
        coalesce(extract(epoch FROM clock_timestamp() - xact_start), 0)::int AS seconds
      FROM pg_stat_activity WHERE pid = ANY(pg_blocking_pids($1)) LIMIT ${mostTold}`,
      [pid],
    );
    return holdersSchema.parse(rows);
  });
}

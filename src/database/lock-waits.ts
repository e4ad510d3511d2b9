import { z } from 'zod';
import { Connection } from './connection';
import { applicationName } from './embedded/session';

/** How long the server may take to tell; it takes milliseconds. */
const askMs = 2_000;

/** How long a statement may wait for locks. Then it is cancelled, so that it is not done after all. */
const longestWaitMs = 60_000;

const answers = z.array(z.object({ waits: z.literal(true) }));

/**
 * Asks the server, over a connection of its own, whether a session waits for a lock: then its silence
 * says nothing about the way to the server. The statement of one that has waited for a minute is
 * cancelled, and fails with `57014`. False where nobody answers, and behind a pooler, which gives a
 * session another number.
 */
export async function isWaitingForLock(
  url: string,
  { processId, silentMs }: { processId: number; silentMs: number },
): Promise<boolean> {
  const client = new Connection({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: askMs,
    silenceMs: askMs,
  });
  // The statement fails too; unheard, this event would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query(
      `SELECT CASE WHEN $2 THEN pg_cancel_backend(pid) ELSE true END AS waits
      FROM pg_stat_activity
      WHERE pid = $1 AND usename = current_user AND wait_event_type = 'Lock'`,
      [processId, silentMs >= longestWaitMs],
    );
    return answers.parse(rows).length === 1;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { codeOf } from '../../error-parts';
import { askAside } from './ask-aside';
import type { Connection } from './connection';

/** How long a statement may wait for locks. Then it is cancelled, so that it is not done after all. */
const longestWaitMs = 60_000;

/** What one that has just been given its lock, or looks for a deadlock, has for that. */
const givenMs = 1_000;

/** What a server answers that has no connection left, for this user or for all. */
const fullCode = '53300';

const answers = z.array(z.object({ waits: z.boolean() }));

/**
 * Asks the server, over a connection of its own, whether a session waits for a lock: then its silence
 * says nothing about the way to the server. One that works is asked for once more, as it may have waited
 * until now. The statement of one that has waited for a minute is cancelled, and fails with `57014`.
 * True for that minute where the server is full: those that wait may be why. False where nobody
 * answers, and behind a pooler, which gives a session another number.
 */
export async function isWaitingForLock(
  url: string,
  { processId, silentMs }: { processId: number; silentMs: number },
): Promise<boolean> {
  const isTooLong = silentMs >= longestWaitMs;

  /** Undefined of a session that is at rest, or is not there. */
  async function waits(client: Connection): Promise<boolean | undefined> {
    const { rows } = await client.query(
      `SELECT CASE WHEN wait_event_type IS DISTINCT FROM 'Lock' THEN false
        WHEN $2 THEN pg_cancel_backend(pid) ELSE true END AS waits
      FROM pg_stat_activity
      WHERE pid = $1 AND usename = current_user AND state NOT LIKE 'idle%'`,
      [processId, isTooLong],
    );
    return answers.parse(rows)[0]?.waits;
  }

  try {
    return await askAside(url, async (client) => {
      const first = await waits(client);
      if (first !== false) return first ?? false;
      await sleep(givenMs);
      return (await waits(client)) ?? false;
    });
  } catch (error) {
    return codeOf(error) === fullCode && !isTooLong;
  }
}

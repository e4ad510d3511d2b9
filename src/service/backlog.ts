import { Prisma } from '../database/generated/client';
import { readHeavy } from '../database/read-heavy';
import { log } from '../logging/log';
import type { Backlog } from '../metrics/metrics';

/**
 * What is beyond is not counted, so that a scrape costs the same however much waits: the oldest is that of
 * these, which are the oldest only where an index has them in this order.
 */
const maxCounted = 10_000;

/** On a server, which ends the statement then; the embedded database is small. */
const timeoutMs = 2_000;

/** What each queue has that is due and that nobody has begun. */
const queues: Record<string, Prisma.Sql> = {
  // What a paused endpoint has waits for a person.
  webhooks: Prisma.sql`
    SELECT d.next_attempt_at AS due_at
    FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id AND e.enabled
    WHERE d.state = 'pending' AND d.lease_token IS NULL AND d.next_attempt_at <= now()
    ORDER BY d.next_attempt_at`,
  transcriptions: Prisma.sql`
    SELECT next_attempt_at AS due_at FROM transcription_jobs WHERE next_attempt_at <= now()`,
  mails: Prisma.sql`
    SELECT next_attempt_at AS due_at FROM mails
    WHERE sent_at IS NULL AND expires_at > now() AND next_attempt_at <= now()
    ORDER BY next_attempt_at`,
  file_removals: Prisma.sql`
    SELECT next_attempt_at AS due_at FROM file_removals WHERE next_attempt_at <= now()`,
};

/**
 * What is due and not begun, by queue, in one statement; undefined where the database does not say.
 */
export async function readBacklog(): Promise<Backlog[] | undefined> {
  const counts = Object.entries(queues).map(
    ([name, due]) => Prisma.sql`
      SELECT ${name}::text AS queue, count(*)::int AS due,
        coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8 AS "oldestSeconds"
      FROM (${due} LIMIT ${maxCounted}::int) counted`,
  );
  try {
    return await readHeavy<Backlog>(Prisma.join(counts, ' UNION ALL '), { timeoutMs });
  } catch (error) {
    log().warn({ err: error }, 'backlog not read');
    return undefined;
  }
}

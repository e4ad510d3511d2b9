import { pool } from './client';
import type { Prisma } from './generated/client';

/** The slowest known takes a second for 200,000 testimonials. */
const heavyReadMs = 20_000;

/**
 * As `readRows`, for what may take long: the server itself ends a statement after `timeoutMs`, so that
 * none goes on for an answer that nobody waits for. Planned for its very values.
 *
 * The limit holds in a transaction and not for the session, which a pooler may share out; that takes
 * two round trips more. The embedded database knows no such limit.
 */
export async function readHeavy<Row extends object>(
  query: Prisma.Sql,
  timeoutMs = heavyReadMs,
): Promise<Row[]> {
  const client = await pool().connect();
  let failure: unknown;
  try {
    await client.query(`BEGIN READ ONLY; SET LOCAL statement_timeout = ${timeoutMs}`);
    const { rows } = await client.query<Row>({ text: query.text, values: query.values });
    await client.query('COMMIT');
    return rows;
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    // A connection whose transaction failed is closed, which ends that too.
    client.release(failure !== undefined);
  }
}

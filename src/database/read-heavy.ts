import type { Pool } from 'pg';
import { codeOf, messageOf } from '../error-parts';
import { pool, readByReplica, repeatable } from './client';
import { allowStatementTime, Connection } from './connections/connection';
import { MeteredRead } from './connections/large-reads';
import { beginReading, onConnection } from './connections/pool';
import type { Prisma } from './generated/client';
import type { AccountState } from './replicas/replicas';

/** The slowest known takes a second for 200,000 testimonials. */
const heavyReadMs = 20_000;

/** Below what a server may be silent for, which is 5 s unless it is set. */
const logReadMs = 4_000;

/**
 * As `readRows`, for what may take long: the server itself ends a statement after `timeoutMs`, so that
 * none goes on for an answer that nobody waits for; the transaction for that takes two round trips
 * more. Planned for its very values.
 * @throws LargeReadError
 */
export async function readHeavy<Row extends object>(
  query: Prisma.Sql,
  { timeoutMs = heavyReadMs, of }: { timeoutMs?: number; of?: AccountState } = {},
): Promise<Row[]> {
  const byReplica = await readByReplica<Row>(
    query,
    of,
    (asked, { pool, statementMs = timeoutMs }) =>
      run(asked, pool, Math.min(timeoutMs, statementMs)),
  );
  return byReplica ?? repeatable(() => run(query, pool(), timeoutMs));
}

/** The same for what looks through a log. */
export function readLog<Row extends object>(query: Prisma.Sql): Promise<Row[]> {
  return readHeavy(query, { timeoutMs: logReadMs });
}

async function run<Row extends object>(
  query: Prisma.Sql,
  pool: Pool,
  timeoutMs: number,
): Promise<Row[]> {
  const types = new MeteredRead();
  const read = await onConnection(pool, async (client) => {
    await client.query(beginReading(timeoutMs));
    // Not before: a way to the server that is lost has shown by then.
    if (client instanceof Connection) allowStatementTime(client, timeoutMs);
    const { rows } = await client
      .query<Row>({ text: query.text, values: query.values, types })
      .catch(notOnceMore);
    await client.query('COMMIT');
    return rows;
  });
  types.check();
  return read;
}

/** What has fallen silent may be at work on it: without the code nobody asks for it a second time. */
function notOnceMore(error: unknown): never {
  throw codeOf(error) === 'ETIMEDOUT' ? new Error(messageOf(error)) : error;
}

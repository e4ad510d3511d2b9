import { pool, readByReplica, repeatable, statementName } from './client';
import { MeteredRead } from './connections/large-reads';
import { Prisma } from './generated/client';
import type { Source } from './replicas/replica';
import type { AccountQuery, AccountState } from './replicas/replicas';

/**
 * Runs a query on the pool that Prisma works through, without Prisma's own conversions of every
 * value, which cost twice as much as the driver's. For what every request reads; columns may be of
 * any type but instants, which lose their microseconds.
 *
 * Must only read: where its connection is cut, it runs once more on another.
 *
 * What brings too much at once is refused, and made again by whoever makes room; see `connections/large-reads.ts`.
 *
 * `replan` has Postgres plan anew for these very values, where one plan does not fit all. `of` lets a
 * replica answer that is as new as the account: see `Replicas.read` for what such a query may read.
 * @throws LargeReadError
 */
export async function readRows<Row extends object>(
  query: AccountQuery,
  { replan = false, of }: { replan?: boolean; of?: AccountState } = {},
): Promise<Row[]> {
  const run = async ({ text, values }: Prisma.Sql, { pool, nameOf }: Source) => {
    const types = new MeteredRead();
    const name = replan ? '' : nameOf(text);
    const { rows } = await pool.query<Row>({ name, text, values, types });
    types.check();
    return rows;
  };
  const byReplica = await readByReplica(query, of, run);
  if (byReplica) return byReplica;
  const whole = typeof query === 'function' ? query(Prisma.empty) : query;
  return repeatable(() => run(whole, { pool: pool(), nameOf: statementName }));
}

import { pool, repeatable, statementName } from './client';
import type { Prisma } from './generated/client';

/**
 * Runs a query on the pool that Prisma works through, without Prisma's own conversions of every
 * value, which cost twice as much as the driver's. For what every request reads; columns may be of
 * any type but instants, which lose their microseconds.
 *
 * Must only read: where its connection is cut, it runs once more on another.
 *
 * `replan` has Postgres plan anew for these very values, where one plan does not fit all.
 */
export async function readRows<Row extends object>(
  query: Prisma.Sql,
  options: { replan?: boolean } = {},
): Promise<Row[]> {
  const name = options.replan ? '' : statementName(query.text);
  const statement = { name, text: query.text, values: query.values };
  const { rows } = await repeatable(() => pool().query<Row>(statement));
  return rows;
}

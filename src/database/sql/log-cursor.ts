/** Pages of what is only ever added to, newest first, as dashboards show it. */
import { z } from 'zod';
import { Prisma } from '../generated/client';
import { writtenInstant } from './instants';

/** Where a page ends: the instant and the id of its last row. */
export const logCursor = z
  .string()
  .max(80, { abort: true })
  .refine((cursor) => {
    const [at, id, ...rest] = cursor.split(',');
    return (
      writtenInstant.safeParse(at).success && z.uuid().safeParse(id).success && rest.length === 0
    );
  }, 'Expected the next_cursor of a page');

/** The rows behind a cursor, in the order of both columns downwards. */
export function behind(cursor: string, instant: Prisma.Sql, id: Prisma.Sql): Prisma.Sql {
  const [lastInstant, lastId] = cursor.split(',');
  return Prisma.sql`(${instant}, ${id}) < (${lastInstant}::timestamptz, ${lastId}::uuid)`;
}

/** A page as it is answered; `next_cursor` is null on the last one. */
export function logPageOf<Row extends z.ZodType>(row: Row) {
  return z.object({ data: z.array(row), next_cursor: logCursor.nullable() });
}

/** One page of `limit + 1` rows or fewer, where the one too many says that there are more. */
export function logPage<Row extends { id: string }>(
  rows: Row[],
  limit: number,
  instantOf: (row: Row) => string,
): { data: Row[]; next_cursor: string | null } {
  const data = rows.slice(0, limit);
  const last = rows.length > limit ? data.at(-1) : undefined;
  return { data, next_cursor: last ? (`${instantOf(last)},${last.id}` as const) : null };
}

import { Prisma } from '../generated/client';

/** Rows removed by one statement: none is locked for long, and no stop loses much. */
export const removalBatch = 500;

/**
 * A statement that removes up to a batch of the rows that fit, passing over those that others have
 * locked, and tells how many: `removed`. To be repeated until it removes none. `table` is trusted text;
 * `also` are expressions of the same statement, behind `removed`.
 */
export function removeSome(
  table: string,
  condition: Prisma.Sql,
  also: Prisma.Sql = Prisma.empty,
): Prisma.Sql {
  const places = Prisma.sql`
        SELECT ctid FROM ${Prisma.raw(table)} WHERE ${condition}
        LIMIT ${removalBatch} FOR UPDATE SKIP LOCKED`;
  return removeAt(table, places, also);
}

/** The same of the rows whose `ctid` the SELECT `places` finds and locks, up to a batch of them. */
export function removeAt(
  table: string,
  places: Prisma.Sql,
  also: Prisma.Sql = Prisma.empty,
): Prisma.Sql {
  return Prisma.sql`
    WITH removed AS (
      DELETE FROM ${Prisma.raw(table)} WHERE ctid = ANY (ARRAY(${places}))
      RETURNING 1
    )${also}
    SELECT count(*)::int AS removed FROM removed`;
}

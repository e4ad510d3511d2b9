import { Prisma } from './generated/client';
import { removalBatch } from './removing';
import { instant } from './sql';

/**
 * The clock of another session may be read a moment later than ours, and what it wrote is seen all the
 * same.
 */
const clockToleranceSeconds = 60;

/** What waits in a table until an instant of its own. All but the intervals is trusted text. */
export type Waiting = {
  table: string;
  column: string;
  condition: string;
  /** The longest wait that a row can be given: an interval, of the row. */
  longest: Prisma.Sql;
  /** A lease, whose holder may live and is to have the time to renew it. */
  isLease?: boolean;
};

/**
 * A statement that ends the wait of up to a batch of rows which lies further ahead than it can have been
 * set: the clock was ahead then. A lease ends as one that begins now. It passes over rows that others have
 * locked.
 */
export function endFarWaits(waiting: Waiting, now: Date | undefined): Prisma.Sql {
  const [table, column] = [Prisma.raw(waiting.table), Prisma.raw(waiting.column)];
  const at = instant(now);
  const later = Prisma.sql`${at} + make_interval(secs => ${clockToleranceSeconds}::int)`;
  // The first of the two bounds is for indexes.
  return Prisma.sql`
    UPDATE ${table} SET ${column} = ${at}${waiting.isLease ? Prisma.sql` + ${waiting.longest}` : Prisma.empty}
    WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${table} WHERE ${Prisma.raw(waiting.condition)}
        AND ${column} > ${later} AND ${column} > ${later} + ${waiting.longest}
      LIMIT ${removalBatch} FOR UPDATE SKIP LOCKED
    ))`;
}

/** The longest wait of a row, in milliseconds by how many it has of `column`; the last one repeats. */
export function longestBy(column: string, waitsMs: readonly number[]): Prisma.Sql {
  return Prisma.sql`interval '1 millisecond' * (${[...waitsMs]}::float8[])[
    least(${Prisma.raw(column)} + 1, ${waitsMs.length}::int)]`;
}

export function milliseconds(ms: number): Prisma.Sql {
  return Prisma.sql`interval '1 millisecond' * ${ms}::float8`;
}

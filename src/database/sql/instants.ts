import { z } from 'zod';
import { Prisma } from '../generated/client';

/**
 * An instant as both resources write it: microseconds and `+00:00`. The ORM would cut it to
 * milliseconds. `column` is trusted text, never a client's.
 */
export function wireInstantColumn(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"')`;
}

/** An instant as `wireInstantColumn` writes it, read back; Postgres has no year 0000. */
export const writtenInstant = z.iso
  .datetime({ offset: true, precision: 6 })
  .regex(/^(?!0000).*\+00:00$/);

/** Instants under their own names, as above, of a table called `alias`. */
export function wireInstants(alias: string, ...names: string[]): Prisma.Sql {
  return Prisma.raw(
    names.map((name) => `${wireInstantColumn(`${alias}.${name}`)} AS ${name}`).join(', '),
  );
}

/**
 * The instant by which work is due: the database's clock, on which several processes agree; tests
 * give their own. Stable within a statement, so that an index can be searched with it.
 */
export function instant(now: Date | undefined): Prisma.Sql {
  return now ? Prisma.sql`${now}::timestamptz` : Prisma.sql`statement_timestamp()`;
}

/**
 * A lower bound on `column` at full precision. Postgres rounds to microseconds, so what lies
 * below them is cut off, and the bound is then exclusive.
 */
export function atOrAfter(column: Prisma.Sql, instant: string): Prisma.Sql {
  const { literal, hasRemainder } = microseconds(instant);
  return hasRemainder
    ? Prisma.sql`${column} > ${literal}::timestamptz`
    : Prisma.sql`${column} >= ${literal}::timestamptz`;
}

/** An upper bound, inclusive, at full precision. */
export function atOrBefore(column: Prisma.Sql, instant: string): Prisma.Sql {
  return Prisma.sql`${column} <= ${microseconds(instant).literal}::timestamptz`;
}

function microseconds(instant: string): { literal: string; hasRemainder: boolean } {
  const [, seconds = '', fraction = ''] = /^([^.Z]*)(?:\.(\d*))?Z$/.exec(instant) ?? [];
  // ISO 8601 counts a year 0000, which Postgres calls 1 BC.
  const [date, era] = seconds.startsWith('0000-')
    ? [seconds.replace('0000-', '0001-'), ' BC']
    : [seconds, ''];
  return {
    literal: `${date}.${fraction.slice(0, 6).padEnd(1, '0')}Z${era}`,
    hasRemainder: /[1-9]/.test(fraction.slice(6)),
  };
}

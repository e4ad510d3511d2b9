import { Prisma } from '../generated/client';
import { type ColumnType, columnValue } from './columns';

/** By a column, and by the id where it says nothing, both in one direction; NULLs last in both. */
export type Sorting = {
  column: string;
  type: ColumnType;
  isNullable: boolean;
  direction: 'asc' | 'desc';
};

/** A row's place in a sorting, whether or not the row is still there. */
export type Position = { value: string | number | null; id: string };

/**
 * Qualified: a bare created_at would be the text that the wire columns make of it, and use no index.
 */
export function orderBy({ column, isNullable, direction }: Sorting, table: string): Prisma.Sql {
  const order = direction === 'asc' ? 'ASC' : 'DESC';
  const nulls = isNullable ? ' NULLS LAST' : '';
  return Prisma.raw(`${table}.${column} ${order}${nulls}, ${table}.id ${order}`);
}

/**
 * Conditions for the rows that come after a position: one, or two where those without a value come
 * after those of the first. Each is a range of an index in that order; both in one condition are not.
 */
export function rowsAfter(
  { column, type, isNullable, direction }: Sorting,
  table: string,
  { value, id }: Position,
): [Prisma.Sql, ...Prisma.Sql[]] {
  const beyond = Prisma.raw(direction === 'asc' ? '>' : '<');
  const [sorted, rowId] = [Prisma.raw(`${table}.${column}`), Prisma.raw(`${table}.id`)];
  if (value === null) return [Prisma.sql`${sorted} IS NULL AND ${rowId} ${beyond} ${id}::uuid`];
  const further = Prisma.sql`(${sorted}, ${rowId}) ${beyond} (${columnValue(value, type)}, ${id}::uuid)`;
  return isNullable ? [further, Prisma.sql`${sorted} IS NULL`] : [further];
}

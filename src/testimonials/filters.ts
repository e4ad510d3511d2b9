import type { pageInput } from '../api/pagination';
import { Prisma, type TestimonialCount, type TestimonialText } from '../database/generated/client';
import { columnValue } from '../database/sql/columns';
import { atOrAfter, atOrBefore } from '../database/sql/instants';
import { columns } from './columns';
import type { IncludingTestimonial, ListTestimonialsInput, Testimonial } from './schema';

/** What narrows a list by a column; a search is another matter. */
type Filters = Omit<ListTestimonialsInput, keyof typeof pageInput | 'search' | 'include'>;

/** Where a column is read: `t` the testimonials, `c` their counts, `x` their texts. */
type Table = 't' | 'c' | 'x';

/** Every filter is in one of the two kinds below, or nothing compiles. */
type Counted = keyof Filters & keyof Testimonial & keyof TestimonialCount;

/**
 * Those for the value of a column that `testimonial_counts` has as well: totals with them are read
 * from there.
 */
export const counted = [
  'space_id',
  'status',
  'type',
  'rating',
] as const satisfies readonly Counted[];

type Uncounted = Exclude<keyof Filters, (typeof counted)[number]>;

/** Those of the row that narrow a list, whether or not it shows them. */
type Column = keyof IncludingTestimonial;

type Condition = { column: Column; holds: (column: Prisma.Sql) => Prisma.Sql };

/** The others, whatever they ask of a column: with one of them, a total is counted. */
const uncounted: Record<Uncounted, (filters: Filters) => Condition | undefined> = {
  date_from: ({ date_from: instant }) =>
    instant ? { column: 'created_at', holds: (at) => atOrAfter(at, instant) } : undefined,
  date_to: ({ date_to: instant }) =>
    instant ? { column: 'created_at', holds: (at) => atOrBefore(at, instant) } : undefined,
  external_id: ({ external_id: id }) =>
    id ? { column: 'external_id', holds: (column) => Prisma.sql`${column} = ${id}` } : undefined,
  transcription: ({ transcription: state }) =>
    state && {
      column: 'transcription',
      holds: (column) => Prisma.sql`${column} = ${columnValue(state, 'transcription_state')}`,
    },
};

/** What the texts have of a testimonial, so that it need not be read. */
const inTexts: readonly Column[] = ['created_at'] satisfies (keyof TestimonialText)[];

/** Where a search reads a column: with the texts, if they have it. */
export function searchedTable(column: Column): 't' | 'x' {
  return inTexts.includes(column) ? 'x' : 't';
}

export function ownedBy(accountId: string, table: Table): Prisma.Sql {
  return Prisma.sql`${qualified('user_id', table)} = ${accountId}::uuid`;
}

/**
 * Only the filters that are present: with "$1 IS NULL OR …" Postgres would plan for all of them at
 * once.
 */
export function countedFilters(filters: Filters, table: 't' | 'c'): Prisma.Sql[] {
  return counted.flatMap((name) => {
    const value = filters[name];
    if (value === undefined) return [];
    return [Prisma.sql`${qualified(name, table)} = ${columnValue(value, columns[name])}`];
  });
}

/** As `countedFilters`; `tableOf` says where a column is read. */
export function uncountedFilters(
  filters: Filters,
  tableOf: (column: Column) => 't' | 'x',
): { table: 't' | 'x'; condition: Prisma.Sql }[] {
  return Object.values(uncounted).flatMap((read) => {
    const asked = read(filters);
    if (!asked) return [];
    const table = tableOf(asked.column);
    return [{ table, condition: asked.holds(qualified(asked.column, table)) }];
  });
}

/** Whether the total with these filters is kept, so that nothing need be counted. */
export function hasKeptTotal(filters: Filters): boolean {
  return Object.values(uncounted).every((read) => read(filters) === undefined);
}

function qualified(column: Column, table: Table): Prisma.Sql {
  return Prisma.raw(`${table}.${column}`);
}

export function all(conditions: Prisma.Sql[]): Prisma.Sql {
  return Prisma.join(conditions, ' AND ');
}

import { paginate, type SortKey, type SortOrder } from '../api/pagination';
import { Prisma } from '../database/generated/client';
import { readRows } from '../database/read-rows';
import { atOrAfter, atOrBefore, substringPattern } from '../database/sql';
import { wireColumns } from './columns';
import type { ListTestimonialsInput, Testimonial } from './schema';

/** From this offset on, rows are skipped in the index and only those of the page are read. */
const lateLookupFrom = 500;

/**
 * One page of the account's testimonials and the exact total, in one round trip.
 * Contract, GET /testimonials.
 */
export async function listTestimonials(accountId: string, input: ListTestimonialsInput) {
  const { space_id, status, type, rating, search, date_from, date_to } = input;
  const page = search ? searchedPage(accountId, input, search) : filteredPage(accountId, input);
  // A plan that is right for what one account rarely has takes a second where it is common.
  const replan = [space_id, status, type, rating, search, date_from, date_to].some(Boolean);
  const rows = await readRows<PageRow>(page, { replan });
  return { data: rows.filter(isTestimonial), pagination: paginate(input, rows[0]?.total ?? 0) };
}

/** An empty page still gives one row, which carries the total. The schema drops it from the others. */
type PageRow = { total: number } & (Testimonial | { id: null });

function isTestimonial(row: PageRow): row is PageRow & Testimonial {
  return row.id !== null;
}

function filteredPage(accountId: string, input: ListTestimonialsInput): Prisma.Sql {
  const countable = countableFilters(input, 't');
  const matches = join([ownedBy(accountId, 't'), ...countable, ...dateFilters(input, 't')]);
  const page = Prisma.sql`
    FROM testimonials t WHERE ${matches}
    ORDER BY ${order(input, 't')}
    LIMIT ${countable.length > 0 ? rest(input) : Prisma.sql`${input.limit}`} OFFSET ${input.offset}`;
  // The join has no condition, so it can only be a nested loop over the page in its order.
  return Prisma.sql`
    WITH counted AS MATERIALIZED (${total(accountId, input, matches)})
    SELECT counted.total, page.* FROM counted
    LEFT JOIN (${
      input.offset < lateLookupFrom
        ? Prisma.sql`SELECT ${wireColumns} ${page}`
        : Prisma.sql`
          SELECT ${wireColumns} FROM (SELECT t.id ${page}) found JOIN testimonials t ON t.id = found.id
          ORDER BY ${order(input, 't')}`
    }) page ON true`;
}

/** From the counts that triggers keep, and by counting only where dates are asked for. */
function total(accountId: string, input: ListTestimonialsInput, matches: Prisma.Sql): Prisma.Sql {
  if (input.date_from || input.date_to) {
    return Prisma.sql`SELECT count(*)::int AS total FROM testimonials t WHERE ${matches}`;
  }
  const filters = countableFilters(input, 'c');
  return filters.length === 0
    ? Prisma.sql`SELECT testimonial_count AS total FROM users WHERE id = ${accountId}::uuid`
    : Prisma.sql`
      SELECT coalesce(sum(c.count), 0)::int AS total FROM testimonial_counts c
      WHERE ${join([ownedBy(accountId, 'c'), ...filters])}`;
}

/** The limit, or what is left of the total: the search for a few rare rows ends with the last. */
function rest({ limit, offset }: ListTestimonialsInput): Prisma.Sql {
  return Prisma.sql`(SELECT least(${limit}::bigint, greatest(total - ${offset}::bigint, 0)) FROM counted)`;
}

/**
 * The term is looked for once, for the page and the total alike, in a narrow table of texts. Terms
 * of three characters and more can use its trigrams; shorter ones read all texts of the account.
 */
function searchedPage(accountId: string, input: ListTestimonialsInput, term: string): Prisma.Sql {
  const filters = countableFilters(input, 't');
  const isInTexts = filters.length === 0 && input.sort_by === 'created_at';
  const keys = Prisma.raw(isInTexts ? 'x.created_at' : `t.${input.sort_by}`);
  const matches = join([
    ownedBy(accountId, 'x'),
    Prisma.sql`x.folded LIKE lower(${substringPattern(term)})`,
    ...dateFilters(input, 'x'),
    ...filters,
  ]);
  return Prisma.sql`
    WITH matched AS MATERIALIZED (
      SELECT x.testimonial_id AS id, ${keys} FROM testimonial_texts x
      ${isInTexts ? Prisma.empty : Prisma.sql`JOIN testimonials t ON t.id = x.testimonial_id`}
      WHERE ${matches}
    )
    SELECT counted.total, page.*
    FROM (SELECT count(*)::int AS total FROM matched) counted
    LEFT JOIN (
      SELECT ${wireColumns}
      FROM (
        SELECT m.id FROM matched m ORDER BY ${order(input, 'm')}
        LIMIT ${input.limit} OFFSET ${input.offset}
      ) found JOIN testimonials t ON t.id = found.id
      ORDER BY ${order(input, 't')}
    ) page ON true`;
}

function ownedBy(accountId: string, table: string): Prisma.Sql {
  return Prisma.sql`${Prisma.raw(table)}.user_id = ${accountId}::uuid`;
}

/**
 * The filters that `testimonial_counts` knows too. Only those present: with "$1 IS NULL OR …"
 * Postgres would plan for all of them at once.
 */
function countableFilters(input: ListTestimonialsInput, table: 't' | 'c'): Prisma.Sql[] {
  const column = (name: string) => Prisma.raw(`${table}.${name}`);
  const { space_id, status, type, rating } = input;
  const filters: Prisma.Sql[] = [];
  if (space_id) filters.push(Prisma.sql`${column('space_id')} = ${space_id}::uuid`);
  if (status) filters.push(Prisma.sql`${column('status')} = ${status}::testimonial_status`);
  if (type) filters.push(Prisma.sql`${column('type')} = ${type}::testimonial_type`);
  if (rating) filters.push(Prisma.sql`${column('rating')} = ${rating}::smallint`);
  return filters;
}

function dateFilters(input: ListTestimonialsInput, table: 't' | 'x'): Prisma.Sql[] {
  const column = Prisma.raw(`${table}.created_at`);
  const filters: Prisma.Sql[] = [];
  if (input.date_from) filters.push(atOrAfter(Prisma.sql`${column}`, input.date_from));
  if (input.date_to) filters.push(atOrBefore(Prisma.sql`${column}`, input.date_to));
  return filters;
}

/**
 * The id comes last, so that pages never overlap; rows without a rating come after those with.
 * Qualified: a bare created_at would be the text that the wire columns make of it, and use no index.
 */
function order(
  { sort_by, sort_order }: { sort_by: SortKey; sort_order: SortOrder },
  table: string,
): Prisma.Sql {
  const direction = sort_order === 'asc' ? 'ASC' : 'DESC';
  const nulls = sort_by === 'rating' ? 'NULLS LAST' : '';
  return Prisma.raw(`${table}.${sort_by} ${direction} ${nulls}, ${table}.id ${direction}`);
}

function join(conditions: Prisma.Sql[]): Prisma.Sql {
  return Prisma.join(conditions, ' AND ');
}

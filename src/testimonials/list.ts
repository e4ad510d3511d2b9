import { paginate, type SortKey, type SortOrder } from '../api/pagination';
import { Prisma } from '../database/generated/client';
import { readHeavy } from '../database/read-heavy';
import { readRows } from '../database/read-rows';
import { substringPattern } from '../database/sql';
import { wireColumns } from './columns';
import {
  all,
  countedFilters,
  hasKeptTotal,
  ownedBy,
  searchedTable,
  uncountedFilters,
} from './filters';
import type { ListTestimonialsInput, Testimonial } from './schema';
import { inTurn } from './turns';

/** From this offset on, rows are skipped in the index and only those of the page are read. */
const lateLookupFrom = 500;

/** From this offset on, skipping takes long enough to count. */
const deepFrom = 5000;

/**
 * One page of the account's testimonials and the exact total, in one statement.
 * Contract, GET /testimonials.
 */
export async function listTestimonials(accountId: string, input: ListTestimonialsInput) {
  const rows = await readPage(accountId, input);
  return { data: rows.filter(isTestimonial), pagination: paginate(input, rows[0]?.total ?? 0) };
}

/**
 * Whatever is filtered is planned anew: a plan that is right for what one account rarely has takes a
 * second where it is common. And it takes its turn, for as many rows may have to be read as the
 * account has. Other lists come straight out of an index.
 */
function readPage(accountId: string, input: ListTestimonialsInput): Promise<PageRow[]> {
  const { search, offset, sort_by } = input;
  if (search) {
    const page = searchedPage(accountId, input, search);
    return inTurn(accountId, () => readHeavy(page));
  }
  const page = filteredPage(accountId, input);
  if (offset >= deepFrom || sort_by === 'updated_at' || !hasKeptTotal(input)) {
    return inTurn(accountId, () => readHeavy(page));
  }
  const isFiltered = countedFilters(input, 't').length > 0;
  return isFiltered ? inTurn(accountId, () => readRows(page, { replan: true })) : readRows(page);
}

/** An empty page still gives one row, which carries the total. The schema drops it from the others. */
type PageRow = { total: number } & (Testimonial | { id: null });

function isTestimonial(row: PageRow): row is PageRow & Testimonial {
  return row.id !== null;
}

function filteredPage(accountId: string, input: ListTestimonialsInput): Prisma.Sql {
  const counted = countedFilters(input, 't');
  const uncounted = uncountedFilters(input, () => 't').map(({ condition }) => condition);
  const matches = all([ownedBy(accountId, 't'), ...counted, ...uncounted]);
  const total = hasKeptTotal(input)
    ? keptTotal(accountId, countedFilters(input, 'c'))
    : Prisma.sql`SELECT count(*)::int AS total FROM testimonials t WHERE ${matches}`;
  const page = Prisma.sql`
    FROM testimonials t WHERE ${matches}
    ORDER BY ${order(input, 't')}
    LIMIT ${counted.length > 0 ? rest(input) : Prisma.sql`${input.limit}`} OFFSET ${input.offset}`;
  // The join has no condition, so it can only be a nested loop over the page in its order.
  return Prisma.sql`
    WITH counted AS MATERIALIZED (${total})
    SELECT counted.total, page.* FROM counted
    LEFT JOIN (${
      input.offset < lateLookupFrom
        ? Prisma.sql`SELECT ${wireColumns} ${page}`
        : Prisma.sql`
          SELECT ${wireColumns} FROM (SELECT t.id ${page}) found JOIN testimonials t ON t.id = found.id
          ORDER BY ${order(input, 't')}`
    }) page ON true`;
}

/** From the counts that triggers keep; `filters` are on them. */
function keptTotal(accountId: string, filters: Prisma.Sql[]): Prisma.Sql {
  return filters.length === 0
    ? Prisma.sql`SELECT testimonial_count AS total FROM users WHERE id = ${accountId}::uuid`
    : Prisma.sql`
      SELECT coalesce(sum(c.count), 0)::int AS total FROM testimonial_counts c
      WHERE ${all([ownedBy(accountId, 'c'), ...filters])}`;
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
  const counted = countedFilters(input, 't');
  const uncounted = uncountedFilters(input, searchedTable);
  const sortedTable = searchedTable(input.sort_by);
  const isInTexts =
    ![sortedTable, ...uncounted.map(({ table }) => table)].includes('t') && counted.length === 0;
  const matches = all([
    ownedBy(accountId, 'x'),
    Prisma.sql`x.folded LIKE lower(${substringPattern(term)})`,
    ...uncounted.map(({ condition }) => condition),
    ...counted,
  ]);
  return Prisma.sql`
    WITH matched AS MATERIALIZED (
      SELECT x.testimonial_id AS id, ${Prisma.raw(`${sortedTable}.${input.sort_by}`)}
      FROM testimonial_texts x
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

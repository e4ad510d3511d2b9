import type { Walk } from '../api/cursor';
import { inHeavyTurn } from '../api/heavy-turns';
import { closePage, deepFrom, lateLookupFrom, openPage, type Page } from '../api/pagination';
import { Prisma } from '../database/generated/client';
import { readHeavy } from '../database/read-heavy';
import { readRows } from '../database/read-rows';
import type { AccountState } from '../database/replicas/replicas';
import { orderBy, rowsAfter } from '../database/sql/keyset';
import { columns, isNullable, onWire, readColumns } from './columns';
import {
  all,
  countedFilters,
  hasKeptTotal,
  ownedBy,
  searchedTable,
  uncountedFilters,
} from './filters';
import type { IncludingTestimonial, ListTestimonialsInput } from './schema';
import { contains } from './substring';

/**
 * One page of the account's testimonials and the exact total, in one statement.
 * Contract, GET /testimonials.
 * @throws ApiError VALIDATION_ERROR for a cursor of another list
 */
export async function listTestimonials(of: AccountState, input: ListTestimonialsInput) {
  const walk = testimonialWalk(of.accountId, input);
  const shown = readColumns(input.include);
  const rows = await readPage(of, input, { walk, shown, ...openPage(walk, input) });
  return closePage(walk, input, onWire(rows.filter(isTestimonial)), rows[0]?.total ?? 0);
}

type WalkPage = Page & { walk: Walk; shown: Prisma.Sql };

/** What the cursors of a list are bound to. */
export function testimonialWalk(
  accountId: string,
  {
    limit: _,
    offset: __,
    cursor: ___,
    include: ____,
    sort_by,
    sort_order,
    ...filters
  }: ListTestimonialsInput,
): Walk {
  return {
    list: 'testimonials',
    accountId,
    filters: { ...filters, search: filters.search || undefined },
    sorting: {
      column: sort_by,
      type: columns[sort_by],
      isNullable: isNullable[sort_by],
      direction: sort_order,
    },
  };
}

/**
 * Whatever is filtered is planned anew: a plan that is right for what one account rarely has takes a
 * second where it is common. And it takes its turn, for as many rows may have to be read as the
 * account has. Other lists come straight out of an index.
 */
function readPage(
  of: AccountState,
  input: ListTestimonialsInput,
  walked: WalkPage,
): Promise<PageRow[]> {
  const { accountId } = of;
  const { search, sort_by } = input;
  if (search) {
    const page = searchedPage(accountId, input, search, walked);
    return inHeavyTurn(accountId, () => readHeavy(page, { of }));
  }
  const page = (condition = Prisma.empty) => filteredPage(accountId, input, walked, condition);
  // One row at most, out of a unique index.
  if (input.external_id !== undefined) return readRows(page(), { replan: true, of });
  if (walked.offset >= deepFrom || sort_by === 'updated_at' || !hasKeptTotal(input)) {
    return inHeavyTurn(accountId, () => readHeavy(page(), { of }));
  }
  const isFiltered = countedFilters(input, 't').length > 0;
  return isFiltered
    ? inHeavyTurn(accountId, () => readRows(page(), { replan: true, of }))
    : readRows(page, { of });
}

/** An empty page still gives one row, which carries the total. The schema drops it from the others. */
type PageRow = { total: number } & (IncludingTestimonial | { id: null });

function isTestimonial(row: PageRow): row is PageRow & IncludingTestimonial {
  return row.id !== null;
}

/** `condition` is on the account's row, and for pages alone that are not filtered. */
function filteredPage(
  accountId: string,
  input: ListTestimonialsInput,
  page: WalkPage,
  condition: Prisma.Sql,
): Prisma.Sql {
  const counted = countedFilters(input, 't');
  const uncounted = uncountedFilters(input, () => 't').map(({ condition }) => condition);
  const conditions = [ownedBy(accountId, 't'), ...counted, ...uncounted];
  const total = hasKeptTotal(input)
    ? keptTotal(accountId, countedFilters(input, 'c'), condition)
    : Prisma.sql`SELECT count(*)::int AS total FROM testimonials t WHERE ${all(conditions)}`;
  const limit = counted.length > 0 ? remainingLimit(page) : Prisma.sql`${page.rowLimit}`;
  // The join has no condition, so it can only be a nested loop over the page in its order.
  return Prisma.sql`
    WITH counted AS MATERIALIZED (${total})
    SELECT counted.total, page.* FROM counted
    LEFT JOIN (${pageOf(conditions, limit, page)}) page ON true`;
}

function pageOf(
  conditions: Prisma.Sql[],
  limit: Prisma.Sql,
  { walk, shown, rowLimit, offset, after }: WalkPage,
): Prisma.Sql {
  const order = orderBy(walk.sorting, 't');
  const from = (position: Prisma.Sql[]) =>
    Prisma.sql`FROM testimonials t WHERE ${all([...conditions, ...position])} ORDER BY ${order}`;
  const byId = (found: Prisma.Sql) => Prisma.sql`
    SELECT ${shown} FROM (${found}) found JOIN testimonials t ON t.id = found.id
    ORDER BY ${order}`;
  const [position, unrated] = after ? rowsAfter(walk.sorting, 't', after) : [];
  if (position && unrated) {
    // What the first range leaves of the limit is looked for in the second, and not at all if nothing.
    // The last limit is for the planner, which else takes the second for a tenth of the account.
    return byId(Prisma.sql`
      WITH rated AS MATERIALIZED (SELECT t.id ${from([position])} LIMIT ${limit})
      SELECT id FROM rated
      UNION ALL
      (SELECT t.id ${from([unrated])} LIMIT (SELECT ${limit} - count(*) FROM rated))
      LIMIT ${rowLimit}`);
  }
  const page = Prisma.sql`${from(position ? [position] : [])} LIMIT ${limit} OFFSET ${offset}`;
  return offset < lateLookupFrom
    ? Prisma.sql`SELECT ${shown} ${page}`
    : byId(Prisma.sql`SELECT t.id ${page}`);
}

/** From the counts that triggers keep; `filters` are on them. */
function keptTotal(accountId: string, filters: Prisma.Sql[], condition: Prisma.Sql): Prisma.Sql {
  return filters.length === 0
    ? Prisma.sql`
      SELECT testimonial_count AS total FROM users WHERE id = ${accountId}::uuid ${condition}`
    : Prisma.sql`
      SELECT coalesce(sum(c.count), 0)::int AS total FROM testimonial_counts c
      WHERE ${all([ownedBy(accountId, 'c'), ...filters])}`;
}

/** The limit, or what is left of the total where that is less: a scan for rare rows ends with their last. */
function remainingLimit({ rowLimit, offset }: Page): Prisma.Sql {
  return Prisma.sql`(SELECT least(${rowLimit}::bigint, greatest(total - ${offset}::bigint, 0)) FROM counted)`;
}

/**
 * The term is looked for once, for the page and the total alike, in a narrow table of texts. Terms
 * of three characters and more can use its trigrams; shorter ones read all texts of the account.
 */
function searchedPage(
  accountId: string,
  input: ListTestimonialsInput,
  term: string,
  { walk, shown, rowLimit, offset, after }: WalkPage,
): Prisma.Sql {
  const position = after
    ? Prisma.join(rowsAfter(walk.sorting, 'm', after), ' OR ')
    : Prisma.sql`true`;
  const counted = countedFilters(input, 't');
  const uncounted = uncountedFilters(input, searchedTable);
  const sortedTable = searchedTable(input.sort_by);
  const isInTexts =
    ![sortedTable, ...uncounted.map(({ table }) => table)].includes('t') && counted.length === 0;
  const matches = all([
    ownedBy(accountId, 'x'),
    contains(Prisma.sql`x.folded`, term),
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
      SELECT ${shown}
      FROM (
        SELECT m.id FROM matched m WHERE ${position} ORDER BY ${orderBy(walk.sorting, 'm')}
        LIMIT ${rowLimit} OFFSET ${offset}
      ) found JOIN testimonials t ON t.id = found.id
      ORDER BY ${orderBy(walk.sorting, 't')}
    ) page ON true`;
}

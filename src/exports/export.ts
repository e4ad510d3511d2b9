import { stringify } from 'csv-stringify';
import { rerunIfLarge } from '../api/large-answers';
import { Prisma } from '../database/generated/client';
import { readRows } from '../database/read-rows';
import { orderBy, type Position, rowsAfter, type Sorting } from '../database/sql/keyset';
import { escapeFormula } from '../imports/formulas';
import { columnNames, onWire, wireColumns } from '../testimonials/columns';
import type { Testimonial } from '../testimonials/schema';

/** Rows that are in memory at once. */
const pageRows = 100;

const sorting: Sorting = {
  column: 'created_at',
  type: 'timestamptz',
  isNullable: false,
  direction: 'asc',
};

/**
 * The account's testimonials, or those of one of its spaces, oldest first and page by page. None that
 * is there all the while is left out or comes twice.
 */
export async function* exportTestimonials(
  accountId: string,
  spaceId: string | undefined,
): AsyncGenerator<Testimonial> {
  const ofSpace = spaceId ? Prisma.sql`AND t.space_id = ${spaceId}::uuid` : Prisma.empty;
  let after: Position | undefined;
  do {
    const position = after ? Prisma.join(rowsAfter(sorting, 't', after)) : Prisma.sql`true`;
    const page = Prisma.sql`
      SELECT ${wireColumns} FROM testimonials t
      WHERE t.user_id = ${accountId}::uuid ${ofSpace} AND ${position}
      ORDER BY ${orderBy(sorting, 't')} LIMIT ${pageRows}`;
    const read = () => readRows<Testimonial>(page, { replan: true });
    const rows = await rerunIfLarge(accountId, read);
    yield* onWire(rows);
    const last = rows.length === pageRows ? rows.at(-1) : undefined;
    after = last && { value: last.created_at, id: last.id };
  } while (after);
}

/** One object on each line, as the API answers it. */
export async function* toJsonLines(rows: AsyncIterable<Testimonial>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`;
}

/**
 * CSV of RFC 4180 with a byte order mark, by which spreadsheets know its encoding, and texts in
 * quotes, so that one without characters is told from none. Cells that a spreadsheet would run as a
 * formula are escaped; an import undoes it.
 */
export function csvWriter() {
  return stringify({
    bom: true,
    header: true,
    columns: columnNames,
    quoted_string: true,
    record_delimiter: 'windows',
    cast: { string: escapeFormula },
  });
}

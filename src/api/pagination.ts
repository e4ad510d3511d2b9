import { z } from 'zod';
import type { Position } from '../database/sql/keyset';
import { readCursor, type SortKey, sortKey, type Walk, walkStart, writeCursor } from './cursor';

/** Longer than any that we make. */
const cursorCharacters = 256;

/** Query parameters that every list takes. Contract, section 4 and section 8. */
export const pageInput = {
  limit: z
    .int()
    .min(1)
    .max(100)
    .default(50)
    .meta({ format: 'int32', description: 'How many items to return.' }),
  offset: z
    .int()
    .min(0)
    .default(0)
    .meta({
      description: `How many items to skip, at most ${Number.MAX_SAFE_INTEGER}. Beside a cursor, 0 alone.`,
    }),
  sort_by: sortKey.default('created_at').meta({ description: 'What to sort by.' }),
  sort_order: z.enum(['asc', 'desc']).default('desc').meta({ description: 'Sort direction.' }),
  cursor: z
    .string()
    .max(cursorCharacters)
    .meta({
      description: `\`${walkStart}\` for the first page of a walk, then the \`next_cursor\` of the page before, with the same filters and sorting. Skips and repeats no row that stays in its place.`,
    })
    .optional(),
};

/** What says which page: it begins after a number of rows or at a cursor. */
type PageInput = { limit: number; offset: number; cursor?: string };

/**
 * Of an input with `pageInput`: whether it names no more than one of the two. Many a generated client
 * sends the default of what it was not given.
 */
export function beginsOnce({ offset, cursor }: PageInput): boolean {
  return offset === 0 || cursor === undefined;
}

/** Contract, section 2. */
export const pagination = z
  .object({
    total: z
      .int()
      .min(0)
      .meta({ format: 'int32', description: 'Items that match the filters, across all pages.' }),
    limit: z.int().min(1).max(100).meta({ format: 'int32' }),
    offset: z.int().min(0).meta({ description: 'Of a page by cursor, 0.' }),
    has_more: z.boolean().meta({
      description:
        'True exactly when offset + limit < total; of a page by cursor, when there is a next one.',
    }),
    next_cursor: z.string().nullable().optional().meta({
      description: 'Of a page by cursor alone: the cursor of the next; null on the last.',
    }),
  })
  .meta({ id: 'Pagination' });

type Pagination = z.infer<typeof pagination>;

/** One page as it is read. */
export type Page = {
  /** Of a walk, one more than are shown: whether there is a further one tells the last page. */
  rowLimit: number;
  offset: number;
  /** It begins after this place. */
  after: Position | undefined;
};

/** The page that an input asks for. @throws ApiError VALIDATION_ERROR for a cursor of another walk */
export function openPage(walk: Walk, { limit, offset, cursor }: PageInput): Page {
  if (cursor === undefined) return { rowLimit: limit, offset, after: undefined };
  const after = cursor === walkStart ? undefined : readCursor(walk, cursor);
  return { rowLimit: limit + 1, offset: 0, after };
}

/** From this offset on, rows are skipped in the index and only those of the page are read. */
export const lateLookupFrom = 500;

/** From this offset on, skipping takes long enough to count. */
export const deepFrom = 5000;

type Sortable = { id: string } & Partial<Record<SortKey, string | number | null>>;

/** The answer with a page's rows; the total is of all pages. */
export function closePage<Row extends Sortable>(
  walk: Walk,
  { limit, offset, cursor }: PageInput,
  rows: Row[],
  total: number,
): { data: Row[]; pagination: Pagination } {
  if (cursor === undefined) {
    return { data: rows, pagination: { total, limit, offset, has_more: offset + limit < total } };
  }
  const data = rows.slice(0, limit);
  const last = rows.length > limit ? data.at(-1) : undefined;
  const next_cursor = last ? writeCursor(walk, positionOf(last, walk)) : null;
  return {
    data,
    pagination: { total, limit, offset, has_more: next_cursor !== null, next_cursor },
  };
}

function positionOf(row: Sortable, { sorting }: Walk): Position {
  return { value: row[sorting.column] ?? null, id: row.id };
}

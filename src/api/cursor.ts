import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ColumnType } from '../database/sql/columns';
import { writtenInstant } from '../database/sql/instants';
import type { Position, Sorting } from '../database/sql/keyset';
import { ApiError } from './errors';
import { fromOpaque, toOpaque } from './opaque';

/** What begins a walk, where else the cursor of the page before stands. */
export const walkStart = 'start';

/** What lists are sorted by. */
export const sortKey = z.enum(['created_at', 'updated_at', 'rating', 'shares']);

export type SortKey = z.infer<typeof sortKey>;

/**
 * What a walk goes through, and in which order; its cursors are of no use for anything else.
 * `filters` are by name, the absent ones undefined or left out.
 */
export type Walk = {
  list: string;
  accountId: string;
  filters: Record<string, unknown>;
  sorting: Sorting & { column: SortKey; type: SortedType };
};

/**
 * The cursor of a row's place: the walk's digest, the value sorted by, the id. It is no secret and
 * is not signed: whoever makes one up reaches rows of the account that its key reads anyway.
 */
export function writeCursor(walk: Walk, { value, id }: Position): string {
  return toOpaque([digestOf(walk), value, id]);
}

/** @throws ApiError VALIDATION_ERROR for what `writeCursor` has not made for the same walk */
export function readCursor(walk: Walk, cursor: string): Position {
  const written = z.tuple([z.string(), sortedValue(walk.sorting), z.guid()]);
  const parsed = written.safeParse(fromOpaque(cursor));
  if (!parsed.success) throw invalid('the cursor is none of ours');
  const [digest, value, id] = parsed.data;
  if (digest !== digestOf(walk)) throw invalid('the cursor is of another list');
  return { value, id };
}

/** What a column's value can be, by its type, so that no cursor makes a statement fail. */
const values = {
  timestamptz: writtenInstant,
  integer: z.int32(),
  smallint: z.int().min(-32_768).max(32_767),
} satisfies Partial<Record<ColumnType, z.ZodType<string | number>>>;

type SortedType = keyof typeof values;

const nullableValues = {
  timestamptz: values.timestamptz.nullable(),
  integer: values.integer.nullable(),
  smallint: values.smallint.nullable(),
} satisfies Record<SortedType, z.ZodType<string | number | null>>;

function sortedValue({ type, isNullable }: Walk['sorting']) {
  return isNullable ? nullableValues[type] : values[type];
}

function digestOf({ list, accountId, filters, sorting }: Walk): string {
  const present = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const described = [list, accountId, present, sorting.column, sorting.direction];
  return createHash('sha256').update(JSON.stringify(described)).digest('base64url').slice(0, 16);
}

function invalid(reason: string): ApiError {
  return new ApiError('VALIDATION_ERROR', { cause: reason });
}

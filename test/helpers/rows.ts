import { randomUUID } from 'node:crypto';
import { database } from '@/src/database/client';
import { Prisma } from '@/src/database/generated/client';

/** Columns of `testimonials` by name; instants as Postgres reads them, in microseconds. */
export type TestimonialRow = { id: string } & Record<string, string | number | null>;

/**
 * Inserts testimonials past the API: many at once, with times and shares that no client can set,
 * and without events. Returns the rows as inserted.
 */
export async function insertTestimonials(
  space: { id: string; user_id: string },
  rows: Record<string, string | number | null>[],
): Promise<TestimonialRow[]> {
  if (rows.length === 0) return [];
  const complete = rows.map((row) => ({
    id: randomUUID(),
    space_id: space.id,
    user_id: space.user_id,
    type: 'text',
    status: 'pending',
    submitter_name: 'Ada Park',
    text_content: null,
    rating: null,
    shares: 0,
    created_at: '2026-01-15T10:30:00.123456Z',
    updated_at: '2026-01-15T10:30:00.123456Z',
    ...row,
  }));
  const columns = Prisma.raw(Object.keys(complete[0] ?? {}).join(', '));
  await database().$executeRaw`
    INSERT INTO testimonials (${columns})
    SELECT ${columns} FROM json_populate_recordset(null::testimonials, ${JSON.stringify(complete)}::json)`;
  return complete;
}

/** Inserts so many that differ by nothing but their ids. Returns these. */
export async function insertAlike(
  space: { id: string; user_id: string },
  count: number,
  row: Record<string, string | number | null> = {},
): Promise<string[]> {
  const rows = await insertTestimonials(space, Array(count).fill(row));
  return rows.map(({ id }) => id);
}

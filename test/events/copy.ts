import { type Event, follow, type Get, latestCursor } from './following';

type Row = Record<string, unknown> & { id: string };

/** A copy of an account's spaces and testimonials, and how far it has followed the feed. */
export type Copy = { spaces: Map<string, Row>; testimonials: Map<string, Row>; cursor: string };

/**
 * The recipe of docs/integrating.md: take a cursor, list everything. What changes meanwhile comes
 * after the cursor.
 */
export async function takeCopy(get: Get): Promise<Copy> {
  const cursor = await latestCursor(get);
  return {
    cursor,
    spaces: await walk(get, '/spaces'),
    testimonials: await walk(get, '/testimonials'),
  };
}

/** Follows the feed to its end. */
export async function update(copy: Copy, get: Get, limit = 100): Promise<void> {
  const { events, cursor } = await follow(get, copy.cursor, { limit });
  for (const event of events) apply(copy, event);
  copy.cursor = cursor;
}

function apply({ spaces, testimonials }: Copy, { type, data }: Event): void {
  // What a list shows to those alone who ask for it.
  const { previous_status: _, transcription: __, language: ___, ...row } = data;
  if (type === 'testimonial.deleted') testimonials.delete(row.id);
  else if (type.startsWith('testimonial.')) testimonials.set(row.id, row);
  else if (type !== 'space.deleted') spaces.set(row.id, row);
  else {
    spaces.delete(row.id);
    for (const [id, { space_id }] of testimonials) if (space_id === row.id) testimonials.delete(id);
  }
}

/** Every row of a list, page by page. */
export async function walk(get: Get, path: string): Promise<Map<string, Row>> {
  const rows = new Map<string, Row>();
  let cursor: string | null = 'start';
  while (cursor !== null) {
    const { status, text, body } = await get(`${path}?limit=3&cursor=${cursor}`);
    if (status !== 200) throw new Error(`${status} ${text}`);
    for (const row of body.data) rows.set(row.id, row);
    cursor = body.pagination.next_cursor;
  }
  return rows;
}

import type { Outputs } from '@/src/ui/trpc';

export type TestimonialPage = Outputs['testimonials']['list'];

/** The cursor of the first page, as the API has it. */
export const walkStart = 'start';

/** Pages in memory; further ones take the place of those farthest from the screen. */
const maxPages = 10;

/**
 * Cursors lead forward only, so the way back is remembered: the cursor of a page, and that of the
 * page before it. A hundred bytes for 50 testimonials. In the browser alone: a server has many
 * people's.
 */
const previousCursors = new Map<string, string>();

/** How many rows a page had when it was last seen, by its cursor. */
const rowCounts = new Map<string, number>();

/** How to ask for the pages before and after those that are loaded. */
export const testimonialPaging = {
  initialCursor: walkStart,
  maxPages,
  getNextPageParam: (page: TestimonialPage, _: unknown, cursor: string | null) => {
    const { next_cursor } = page.pagination;
    if (next_cursor && cursor && typeof window !== 'undefined') {
      previousCursors.set(next_cursor, cursor);
    }
    return next_cursor;
  },
  getPreviousPageParam: (_page: TestimonialPage, _pages: unknown, cursor: string | null) =>
    cursor ? previousCursors.get(cursor) : undefined,
};

/** Notes how many rows of a page are shown, to know its height once it is out of memory. */
export function noteRowCount(cursor: string, count: number): void {
  rowCounts.set(cursor, count);
}

/** The pages before this one, nearest first, with what each had of rows. */
export function pagesBefore(cursor: string): { cursor: string; rows: number }[] {
  const before: { cursor: string; rows: number }[] = [];
  let at = previousCursors.get(cursor);
  while (at !== undefined) {
    before.push({ cursor: at, rows: rowCounts.get(at) ?? 0 });
    at = previousCursors.get(at);
  }
  return before;
}

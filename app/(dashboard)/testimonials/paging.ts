import type { Outputs } from '@/src/ui/calls/trpc';

export type TestimonialPage = Outputs['testimonials']['list'];

/** The cursor of the first page, as the API has it: of every view. */
export const walkStart = 'start';

/** Pages in memory; further ones take the place of those farthest from the screen. */
const maxPages = 10;

/** A page, and how many rows it had when it was last seen: its height once it is out of memory. */
type Before = { cursor: string; rows: number };

/**
 * Cursors lead forward only, so the way back is remembered: the page before that of a cursor, which
 * belongs to one view. A hundred bytes for 50 testimonials. In the browser alone: a server has many
 * people's.
 */
const previous = new Map<string, Before>();

/** How to ask for the pages before and after those that are loaded. */
export const testimonialPaging = {
  initialCursor: walkStart,
  maxPages,
  getNextPageParam: (page: TestimonialPage) => page.pagination.next_cursor,
  getPreviousPageParam: (_page: TestimonialPage, _pages: unknown, cursor: string | null) =>
    cursor ? previous.get(cursor)?.cursor : undefined,
};

/** Notes what leads back to a page from the next, and how many of its rows are shown. */
export function notePage(
  page: TestimonialPage,
  cursor: string | null | undefined,
  rows: number,
): void {
  const { next_cursor } = page.pagination;
  if (next_cursor && cursor) previous.set(next_cursor, { cursor, rows });
}

/** The pages before this one, nearest first. */
export function pagesBefore(cursor: string): Before[] {
  const pages: Before[] = [];
  for (let at = previous.get(cursor); at; at = previous.get(at.cursor)) pages.push(at);
  return pages;
}

/** Of pages that are read one after the other, a row may stand in two. */
export function eachOnce<Row extends { id: string }>(rows: Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

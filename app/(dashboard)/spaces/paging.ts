import type { Outputs } from '@/src/ui/calls/trpc';

/** The same for the server's first paint and for the browser, or it would be asked twice. */
export const pageOfSpaces = { limit: 25 };

/** How to ask for the first page, and for the one after this. */
export const spacePaging = {
  initialCursor: 'start',
  getNextPageParam: ({ pagination }: Outputs['spaces']['list']) => pagination.next_cursor,
};

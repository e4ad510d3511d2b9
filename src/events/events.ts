import { ApiError } from '../api/errors';
import type { Context } from '../api/trpc';
import { type Place, readCursor, writeCursor } from './cursor';
import { type FeedPage, feedEnd, readFeed } from './feed';
import { type EventPage, type ListEventsInput, latest } from './schema';
import { waitingRoom } from './waiting';

/**
 * One page of the account's feed. Where it is empty and the request may wait, it is read again as
 * soon as something comes, if whoever asked may still read it; no connection of the database is held
 * meanwhile.
 * @throws ApiError VALIDATION_ERROR for a cursor that is none; CURSOR_EXPIRED; OVERLOADED where as
 * many requests wait as may; what `requireAccess` throws
 */
export async function listEvents(
  accountId: string,
  input: ListEventsInput,
  { whenGone, requireAccess }: Pick<Context, 'whenGone' | 'requireAccess'>,
): Promise<EventPage> {
  const { after, wait, ...filter } = input;
  if (after === latest && wait === 0) {
    return answer(accountId, { events: [], next: await feedEnd(accountId), hasMore: false });
  }
  const from = after === latest ? await feedEnd(accountId) : placeAfter(accountId, after);
  const deadlineAt = performance.now() + wait * 1000;
  // From before the feed is read, so that nothing is missed in between.
  const waiting = wait > 0 ? waitingRoom().enter(accountId) : undefined;
  try {
    if (waiting) whenGone?.(waiting.leave);
    let page = await readFeed(accountId, from, filter);
    while (wait > 0 && page.events.length === 0 && !page.hasMore) {
      if (!waiting) throw new ApiError('OVERLOADED', { message: tooMany, retryAfterSeconds: 1 });
      const came = await waiting.until(page.next.position, deadlineAt - performance.now());
      if (!came) break;
      await requireAccess?.();
      page = await readFeed(accountId, page.next, filter);
      if (page.events.length === 0) await waiting.rest();
    }
    return answer(accountId, page);
  } finally {
    waiting?.leave();
  }
}

/** Where a cursor has the feed read on. Without one, as with an empty one, at its beginning. */
function placeAfter(accountId: string, after: string | undefined): Place | undefined {
  return after ? readCursor(accountId, after) : undefined;
}

const tooMany = 'Too many requests wait for events already. Try again in a moment.';

function answer(accountId: string, { events, next, hasMore }: FeedPage): EventPage {
  return {
    data: events,
    pagination: { next_cursor: writeCursor(accountId, next), has_more: hasMore },
  };
}

import { requirePage } from './answer.ts';
import type { ListEventsResponseBody, WebhookEvent } from './schema.ts';

/** Events in order, and the cursor behind them. */
export type EventPage = { events: WebhookEvent[]; cursor: string };

export type FollowOptions = {
  /**
   * The cursor to go on from. `latest` is the end of the feed, and without one it begins with the
   * oldest event that is kept.
   */
  after?: string | undefined;
  /** These alone. */
  types?: WebhookEvent['type'][];
  /** Events of one request: 1 to 100, by default 100. */
  limit?: number;
  /** The only end of a feed besides an error. The loop then throws the signal's reason. */
  signal?: AbortSignal;
};

/** The longest that the service allows: fewer requests of the rate limit are used. */
export const waitSeconds = 20;

type Query = { after?: string; types?: string; limit: number; wait: number };

/**
 * The account's events in order, without end: `for await` waits for those to come. Each comes at
 * least once; begun again from a cursor that was kept, it misses none.
 */
export class EventFeed implements AsyncIterable<WebhookEvent> {
  readonly #list: (query: Query) => Promise<ListEventsResponseBody>;
  readonly #filter: { types?: string; limit: number };
  /** All that is before it was handled. */
  #handled: string | undefined;
  #cursor: string | undefined;

  constructor(list: (query: Query) => Promise<ListEventsResponseBody>, options: FollowOptions) {
    const { after, types, limit = 100 } = options;
    this.#list = list;
    this.#filter = { limit, ...(types && { types: types.join() }) };
    this.#handled = after;
    this.#cursor = after;
  }

  /**
   * What to keep once the event at hand is handled, to go on from later. It moves with the last
   * event of each page: what is read again from it are the events of one page at most.
   */
  get cursor(): string | undefined {
    return this.#cursor;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WebhookEvent, void, undefined> {
    for await (const { events, cursor } of this.pages()) {
      for (const [index, event] of events.entries()) {
        if (index === events.length - 1) this.#cursor = cursor;
        yield event;
      }
    }
  }

  /**
   * The same in the pages in which they come: apply the events and keep the cursor in one
   * transaction, and nothing is missed or done twice. Of `types` a page may have none: its cursor
   * is to be kept all the same.
   */
  async *pages(): AsyncGenerator<EventPage, void, undefined> {
    // Whoever broke off within a page has all of it again.
    this.#cursor = this.#handled;
    for (;;) {
      const after = this.#handled;
      // The end of the feed is taken at once: if a wait for it were cut off, what came would be lost.
      const wait = after === 'latest' ? 0 : waitSeconds;
      const query = { ...this.#filter, ...(after && { after }), wait };
      const page = requirePage(await this.#list(query), { mayEnd: false });
      const { data: events, pagination } = page;
      const cursor = pagination.next_cursor;
      if (events.length > 0 || cursor !== after) yield { events, cursor };
      this.#handled = cursor;
      this.#cursor = cursor;
    }
  }
}

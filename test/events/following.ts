import type { Answer } from '../helpers/client';

/** Sends a GET of the API. */
export type Get = (path: string) => Promise<Answer>;

// biome-ignore lint/suspicious/noExplicitAny: tests look into data of every shape
export type Event = { id: string; type: string; sequence: number; timestamp: string; data: any };

/** The page after a cursor; without one, from the oldest event. */
export function page(get: Get, query: Record<string, string | number> = {}): Promise<Answer> {
  const entries = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return get(`/events?${new URLSearchParams(entries)}`);
}

/** Every event after a cursor, in pages of `limit`, and the cursor at their end. */
export async function follow(
  get: Get,
  after?: string,
  query: Record<string, string | number> = {},
): Promise<{ events: Event[]; cursor: string }> {
  const events: Event[] = [];
  let cursor = after;
  for (;;) {
    const { status, text, body } = await page(get, {
      ...query,
      ...(cursor && { after: cursor }),
    });
    if (status !== 200) throw new Error(`${status} ${text}`);
    events.push(...body.data);
    cursor = body.pagination.next_cursor as string;
    if (!body.pagination.has_more) return { events, cursor };
  }
}

/** The cursor at the end of the feed. */
export async function latestCursor(get: Get): Promise<string> {
  return (await page(get, { after: 'latest' })).body.pagination.next_cursor;
}

import { requirePage } from './answer.ts';

type Page<Row> = { data: Row[]; pagination: { next_cursor?: string | null } };

/** Every row of a list, in pages by cursor. What stays in its place during the whole walk comes once. */
export async function* walk<Query extends object, Row>(
  list: (query: Query & { limit: number; cursor: string }) => PromiseLike<Page<Row>>,
  query: Query,
): AsyncGenerator<Row, void, undefined> {
  for (let cursor: string | null | undefined = 'start'; cursor; ) {
    const sent = { limit: 100, ...query, cursor };
    const page: Page<Row> = requirePage(await list(sent), { mayEnd: true });
    yield* page.data;
    cursor = page.pagination.next_cursor;
  }
}

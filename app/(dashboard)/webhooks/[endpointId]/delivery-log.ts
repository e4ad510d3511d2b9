import type { InfiniteData } from '@tanstack/react-query';
import type { Delivery, DeliveryPage } from '@/src/webhooks/delivery-schema';

type DeliveryLog = InfiniteData<DeliveryPage, DeliveryPage['next_cursor']>;

/** By their place in the log, newest first; both parts have a form in which text sorts as they do. */
function isOlder(delivery: Delivery, than: Delivery): boolean {
  if (delivery.created_at !== than.created_at) return delivery.created_at < than.created_at;
  return delivery.id < than.id;
}

/**
 * The log with its newest page as it is now, before what is older. Undefined where there is a gap
 * between them, because more came than a page holds.
 */
export function withNewest(known: DeliveryLog, newest: DeliveryPage): DeliveryLog | undefined {
  const last = newest.data.at(-1);
  const first = { pages: [newest], pageParams: known.pageParams.slice(0, 1) };
  if (!last || newest.next_cursor === null || known.pages.length < 2) return first;
  const latestKnown = known.pages[0]?.data[0];
  if (latestKnown && isOlder(latestKnown, last)) return undefined;
  const older = known.pages
    .map((page, index) => ({
      page: { ...page, data: page.data.filter((row) => isOlder(row, last)) },
      param: known.pageParams.slice(index, index + 1),
    }))
    .filter(({ page }) => page.data.length > 0);
  return {
    pages: [newest, ...older.map(({ page }) => page)],
    pageParams: [...first.pageParams, ...older.flatMap(({ param }) => param)],
  };
}

/** The log with what is known now of one of its deliveries, and otherwise the same. */
export function withDelivery(known: DeliveryLog, delivery: Delivery): DeliveryLog {
  const { id, state, attempt_count, response_status, error_class } = delivery;
  const { next_attempt_at, last_attempt_at } = delivery;
  const now = { state, attempt_count, response_status, error_class, next_attempt_at };
  return {
    ...known,
    pages: known.pages.map((page) => ({
      ...page,
      data: page.data.map((row) => (row.id === id ? { ...row, ...now, last_attempt_at } : row)),
    })),
  };
}

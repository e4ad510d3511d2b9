import { withDelivery, withNewest } from '@/app/(dashboard)/webhooks/[endpointId]/delivery-log';
import type { Delivery, DeliveryPage } from '@/src/webhooks/delivery-schema';

/** One that was the nth to be made. */
function nth(place: number, state: Delivery['state'] = 'succeeded'): Delivery {
  return {
    id: `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`,
    endpoint_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    event_id: '3f2b8c1e-9a54-4c61-8f0e-2b7d6a5c4e3d',
    event_type: 'testimonial.created',
    is_test: false,
    resource_id: 'c1a8e7d2-5f4b-4a3c-9d2e-1f0a9b8c7d6e',
    resource_name: 'Ada Park',
    state,
    attempt_count: 1,
    response_status: 200,
    error_class: null,
    next_attempt_at: null,
    last_attempt_at: null,
    // Two of an instant, so that the id decides as well.
    created_at: `2026-01-15T10:${String(Math.floor(place / 2)).padStart(2, '0')}:00.000000+00:00`,
  };
}

function page(from: number, to: number): DeliveryPage {
  const data = [];
  for (let place = from; place >= to; place -= 1) data.push(nth(place));
  const last = nth(to);
  return { data, next_cursor: to > 1 ? `${last.created_at},${last.id}` : null };
}

function logOf(...pages: DeliveryPage[]) {
  const cursors = pages.map(({ next_cursor }) => next_cursor);
  return { pages, pageParams: [null, ...cursors.slice(0, -1)] };
}

const placesOf = (log: ReturnType<typeof withNewest>) =>
  log?.pages.flatMap(({ data }) => data.map(({ id }) => Number(id.slice(-12))));

describe('the newest page of a log', () => {
  test('takes the place of what it has, and what is older stays', () => {
    const merged = withNewest(logOf(page(10, 6), page(5, 1)), page(12, 8));
    expect(placesOf(merged)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(merged?.pageParams).toHaveLength(3);
    expect(merged?.pages.at(-1)?.next_cursor).toBeNull();
  });

  test('is the log where nothing older was asked for', () => {
    expect(placesOf(withNewest(logOf(page(10, 6)), page(12, 8)))).toEqual([12, 11, 10, 9, 8]);
  });

  test('does not hide that more came than it holds', () => {
    expect(withNewest(logOf(page(10, 6), page(5, 1)), page(20, 16))).toBeUndefined();
  });

  test('leaves out what it no longer has', () => {
    const newest = page(10, 6);
    newest.data.splice(1, 1);
    const merged = withNewest(logOf(page(10, 6), page(5, 1)), newest);
    expect(placesOf(merged)).toEqual([10, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(merged?.pages).toHaveLength(2);
  });

  test('is all there is where nothing comes after it', () => {
    const merged = withNewest(logOf(page(10, 6), page(5, 0)), page(10, 1));
    expect(placesOf(merged)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });
});

test('what is learned of one delivery changes that one', () => {
  const now: Delivery = {
    ...nth(2, 'pending'),
    attempt_count: 2,
    response_status: 503,
    error_class: 'status',
    next_attempt_at: '2026-01-15T11:00:00.000000+00:00',
    last_attempt_at: '2026-01-15T10:30:00.000000+00:00',
  };
  const log = withDelivery(logOf(page(4, 3), page(2, 1)), now);
  expect(log.pages.flatMap(({ data }) => data)).toEqual([nth(4), nth(3), now, nth(1)]);
});

import { randomUUID } from 'node:crypto';
import {
  appendPage,
  isFiltered,
  joinPages,
  parseRequestId,
  requestsForm,
  requestsInput,
} from '@/app/(dashboard)/requests/requests-view';
import { barsOf, summaryOf } from '@/app/(dashboard)/requests/volume-bars';
import { listRequestsInput, type RequestPage } from '@/src/requests/schema';

const ids: string[] = Array.from({ length: 12 }, () => randomUUID());

/** A page of the lines with these numbers, of which a higher one is newer. */
function page(numbers: number[], hasMore = true): RequestPage {
  const data = numbers.map((number) => ({
    id: ids[number] ?? '',
    received_at: `2026-11-22T10:00:${String(number).padStart(2, '0')}.000000+00:00`,
    status: 200,
    count: 1,
    method: 'GET',
    route: '/spaces',
    path: '/spaces',
    duration_ms: 1,
    key_id: null,
    key_name: null,
    key_hint: null,
    code: null,
    reason: null,
  }));
  const last = data.at(-1);
  return {
    data,
    next_cursor: hasMore && last ? `${last.received_at},${last.id}` : null,
  };
}

const numbersOf = ({ data }: RequestPage) => data.map(({ id }) => ids.indexOf(id));

describe('an address', () => {
  test('says which requests are shown, and reads as it was written', () => {
    const view = {
      status: '4xx',
      route: 'GET /testimonials/{id}',
      key: randomUUID(),
      time: '24h',
      request: randomUUID(),
    } as const;
    const query = Object.fromEntries(new URLSearchParams(requestsForm.format(view)));
    expect(requestsForm.parse(query)).toMatchObject(view);
    expect(requestsForm.format({})).toBe('');
  });

  test.each([
    { status: '6xx' },
    { route: '/spaces' },
    { key: 'x' },
    { time: '1y' },
    { hour: '2026-13-01T00:00:00Z' },
    { hour: '9999-12-31T23:00:00Z' },
    { hour: 'now' },
    { request: ['a', 'b'] },
  ])('that says something wrong leaves it out: %j', (query) => {
    expect(requestsForm.format(requestsForm.parse(query))).toBe('');
  });

  test.each([
    ['2026-11-30T23:00:00Z', '2026-12-01T00:00:00.000Z'],
    ['2026-02-30T10:00:00Z', undefined],
    ['2026-11-30T24:00:00Z', undefined],
  ])('names the hour from %s on, which has to be one', (hour, end) => {
    const { from, to } = requestsInput(requestsForm.parse({ hour }));
    expect([from, to]).toEqual(end ? [hour, end] : [undefined, undefined]);
    expect(listRequestsInput.safeParse({ from, to }).success).toBe(true);
  });

  test('that names an hour and a time asks for the hour alone', () => {
    const input = requestsInput({ time: '24h', hour: '2026-11-30T23:00:00Z' });
    expect(listRequestsInput.safeParse(input).success).toBe(true);
    expect(input.last_hours).toBeUndefined();
  });

  test('is a step back only where a request is opened, not where another takes its place', () => {
    const [none, one, other] = [{}, { request: randomUUID() }, { request: randomUUID() }];
    const isStep = requestsForm.isStep ?? (() => undefined);
    expect([isStep(none, one), isStep(one, other), isStep(one, none)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('is filtered by all but the request that is open', () => {
    expect(isFiltered(requestsForm.parse({ request: randomUUID() }))).toBe(false);
    expect(isFiltered(requestsForm.parse({ status: '4xx' }))).toBe(true);
  });
});

test('an X-Request-Id is found as it was copied, in any case and with space around', () => {
  const id = randomUUID();
  expect(parseRequestId(` ${id.toUpperCase()}\n`)).toBe(id);
  expect(parseRequestId(id.slice(1))).toBeUndefined();
});

test('a page behind the lines that are shown adds each once, and is gone on from', () => {
  const shown = appendPage(page([7, 6, 5]), page([5, 4]));
  expect(numbersOf(shown)).toEqual([7, 6, 5, 4]);
  expect(shown.next_cursor).toBe(page([4]).next_cursor);
});

describe('lines that come in live', () => {
  test('stand above those that were there, each once', () => {
    const shown = appendPage(page([7, 6, 5]), page([4, 3]));
    expect(numbersOf(joinPages(shown, page([9, 8, 7])))).toEqual([9, 8, 7, 6, 5, 4, 3]);
    expect(joinPages(shown, page([9, 8, 7])).next_cursor).toBe(shown.next_cursor);
  });

  test('that were written late find their place', () => {
    const shown = appendPage(page([8, 6, 5]), page([4, 3]));
    expect(numbersOf(joinPages(shown, page([8, 7, 6])))).toEqual([8, 7, 6, 5, 4, 3]);
  });

  test('are the whole truth of their time: what they no longer have is gone', () => {
    expect(numbersOf(joinPages(page([8, 7, 6, 5]), page([8, 6])))).toEqual([8, 6, 5]);
  });

  test('stand alone where there is a gap between: nothing is missing without a sign', () => {
    const shown = appendPage(page([5, 4]), page([3, 2]));
    expect(joinPages(shown, page([11, 10, 9]))).toEqual(page([11, 10, 9]));
  });

  test('that are all there are stand with those that have grown too old', () => {
    expect(numbersOf(joinPages(page([4, 3]), page([8, 7], false)))).toEqual([8, 7, 4, 3]);
  });
});

describe('the chart', () => {
  const hour = (succeeded: number, refused = 0, failed = 0) => ({
    hour_at: '2026-11-22T10:00:00.000000+00:00',
    succeeded,
    refused,
    failed,
  });

  test('draws what there is, one bar for each hour and kind, and nothing for none', () => {
    const { paths } = barsOf({
      limit: 1000,
      is_partial: false,
      hours: [hour(5, 1), hour(0), hour(3)],
    });
    expect(paths.succeeded.match(/M/g)).toHaveLength(2);
    expect(paths.refused.match(/M/g)).toHaveLength(1);
    expect(paths.failed).toBe('');
  });

  test('shows the limit once it comes near, and does not let it flatten what is far below', () => {
    const limitAt = (count: number) =>
      barsOf({ limit: 1000, is_partial: false, hours: [hour(count)] }).limitAt;
    expect(limitAt(20)).toBeUndefined();
    expect(limitAt(600)).toBeLessThan(10);
    expect(limitAt(4000)).toBeGreaterThan(50);
  });

  test('sums up what is said in words', () => {
    const hours = [hour(5, 1, 2), hour(7)];
    expect(summaryOf({ limit: 10, is_partial: false, hours })).toEqual({
      succeeded: 12,
      refused: 1,
      failed: 2,
      busiest: 8,
    });
  });
});

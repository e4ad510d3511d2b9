import { sortKey } from '@/src/api/cursor';
import { createTenant, type Tenant } from '../helpers/accounts';
import { send } from '../helpers/client';
import { expectError } from '../helpers/expectations';
import { insertTestimonials } from '../helpers/rows';

type Row = { id: string; rating: number | null };

const orders = sortKey.options.flatMap((key) =>
  (['asc', 'desc'] as const).map((direction) => `sort_by=${key}&sort_order=${direction}`),
);

const count = 41;
let tenant: Tenant;
let spaceId: string;

beforeAll(async () => {
  tenant = await createTenant();
  const space = await tenant.space();
  spaceId = space.id;
  // Few values per column, so that ties span pages in every order.
  await insertTestimonials(
    space,
    Array.from({ length: count }, (_, i) => ({
      rating: [null, 1, 3, 5, null][i % 5] ?? null,
      shares: i % 3,
      status: i % 2 ? 'approved' : 'pending',
      text_content: i % 4 ? 'What a service' : null,
      created_at: `2026-01-15T10:30:00.12345${i % 4}Z`,
      updated_at: `2026-01-16T10:30:00.00000${i % 2}Z`,
    })),
  );
});

const page = (query: string, cursor: string) =>
  tenant.api.get(`/testimonials?${query}&cursor=${encodeURIComponent(cursor)}`);

/** Every page of a walk, from its first. */
async function walk(query: string): Promise<{ data: Row[]; pagination: object }[]> {
  const pages = [];
  for (let cursor: string | null = 'start'; cursor !== null; ) {
    const answer = await page(query, cursor);
    if (answer.status !== 200) throw new Error(`${query}: ${answer.status} ${answer.text}`);
    pages.push(answer.body);
    cursor = answer.body.pagination.next_cursor;
  }
  return pages;
}

async function nextCursor(query: string): Promise<string> {
  return (await page(query, 'start')).body.pagination.next_cursor;
}

const filters = [
  '',
  'status=approved&',
  'search=service&',
  'date_from=2026-01-15T10:30:00.123451Z&',
  'search=service&status=pending&',
];

describe.each(filters)('a walk with the filters "%s"', (filter) => {
  test.each(orders)('by %s goes through the whole list in its order', async (order) => {
    const whole = await tenant.api.get(`/testimonials?${filter}${order}&limit=100`);
    const pages = await walk(`${filter}${order}&limit=4`);
    expect(pages.flatMap(({ data }) => data)).toEqual(whole.body.data);
    expect(pages.length).toBe(Math.ceil(whole.body.data.length / 4));
    for (const [index, { pagination }] of pages.entries()) {
      const isLast = index === pages.length - 1;
      expect(pagination).toEqual({
        total: whole.body.pagination.total,
        limit: 4,
        offset: 0,
        has_more: !isLast,
        next_cursor: isLast ? null : expect.stringMatching(/^[\w-]{20,256}$/),
      });
    }
  });
});

test('a list without a cursor says nothing of cursors', async () => {
  const { body } = await tenant.api.get('/testimonials?limit=2');
  expect(Object.keys(body.pagination)).toEqual(['total', 'limit', 'offset', 'has_more']);
});

test('an empty cursor is none', async () => {
  const without = await tenant.api.get('/testimonials?limit=2&offset=1');
  const withEmpty = await tenant.api.get('/testimonials?limit=2&offset=1&cursor=');
  expect(withEmpty.text).toBe(without.text);
});

test('the last page has no next, also where it is full or there is none', async () => {
  const full = await walk('limit=41');
  expect(full.map(({ data }) => data.length)).toEqual([41]);
  const none = await page('status=rejected', 'start');
  expect(none.body).toEqual({
    data: [],
    pagination: { total: 0, limit: 50, offset: 0, has_more: false, next_cursor: null },
  });
});

test('a walk may change its limit, spell its defaults out, and name a space in upper case', async () => {
  const cursor = await nextCursor(`space_id=${spaceId}&limit=3`);
  const same = await page(`space_id=${spaceId}&limit=3`, cursor);
  const spelled = await page(
    `limit=3&sort_order=desc&sort_by=created_at&search=&space_id=${spaceId.toUpperCase()}`,
    cursor,
  );
  expect(spelled.body).toEqual(same.body);
  const longer = await page(`space_id=${spaceId}&limit=5`, cursor);
  expect(longer.body.data.slice(0, 3)).toEqual(same.body.data);
});

test('a cursor goes on from its place when its row is gone', async () => {
  const other = await createTenant();
  const rows = await insertTestimonials(await other.space(), [{ shares: 1 }, {}, { shares: 2 }]);
  const first = await other.api.get('/testimonials?sort_by=shares&limit=1&cursor=start');
  const [last] = first.body.data;
  await other.api.delete(`/testimonials/${last.id}`);
  const { next_cursor } = first.body.pagination;
  const second = await other.api.get(`/testimonials?sort_by=shares&cursor=${next_cursor}`);
  expect(second.body.data.map(({ id }: Row) => id)).toEqual([rows[0]?.id, rows[1]?.id]);
});

test('a cursor beside an offset is refused', async () => {
  for (const cursor of ['start', await nextCursor('limit=3')]) {
    expectError(await page('offset=5&limit=3', cursor), 400, 'VALIDATION_ERROR');
  }
});

test('offset=0, which many a generated client sends, changes nothing beside a cursor', async () => {
  for (const cursor of ['start', await nextCursor('limit=3')]) {
    const { status, body } = await page('offset=0&limit=3', cursor);
    expect(status).toBe(200);
    expect(body).toEqual((await page('limit=3', cursor)).body);
  }
});

test.each([
  'status=approved',
  'sort_order=asc',
  'sort_by=updated_at',
  'search=service',
  'rating=5',
  'date_to=2026-02-01T00:00:00Z',
])('a cursor of another list is refused: beside %s', async (query) => {
  expectError(await page(query, await nextCursor('limit=3')), 400, 'VALIDATION_ERROR');
  expectError(await page('limit=3', await nextCursor(`${query}&limit=1`)), 400, 'VALIDATION_ERROR');
});

test('a cursor of another account, or of spaces, is refused', async () => {
  const other = await createTenant();
  const cursor = await nextCursor('limit=3');
  expectError(await other.api.get(`/testimonials?cursor=${cursor}`), 400, 'VALIDATION_ERROR');
  expectError(await tenant.api.get(`/spaces?cursor=${cursor}`), 400, 'VALIDATION_ERROR');
});

describe('a cursor that was tampered with is refused', () => {
  const instants = ['2026-02-30T00:00:00.000000+00:00', '2026-01-01', null, 5, '0000', '', [], {}];
  test.each<[string, unknown[]]>([
    ['sort_by=created_at', [...instants, '0000-01-01T00:00:00.000000+00:00']],
    ['sort_by=updated_at', [...instants, '2026-01-01T00:00:00.000000+99:00', 'now', 'infinity']],
    ['sort_by=rating', ['5', 1.5, 40_000, true, [null]]],
    ['sort_by=shares', ['5', 1.5, 2 ** 31, null, true]],
  ])('%s', async (query, values) => {
    const cursor = await nextCursor(`${query}&limit=1`);
    const [digest, value, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const written = (...parts: unknown[]) =>
      Buffer.from(JSON.stringify(parts)).toString('base64url');
    expect((await page(query, written(digest, value, id))).status).toBe(200);
    for (const parts of [
      ...values.map((other) => [digest, other, id]),
      [digest, value, 'x'],
      [digest, value, null],
      [digest, value],
      [digest, value, id, id],
      ['', value, id],
      [],
    ]) {
      const answer = await page(query, written(...parts));
      expect([parts, answer.status]).toEqual([parts, 400]);
    }
  });

  test.each(['x', 'START', 'start ', 'null', 'bnVsbA', '[]', '\0', '💥', 'a'.repeat(257)])(
    '%j is none',
    async (cursor) => {
      expectError(await page('limit=1', cursor), 400, 'VALIDATION_ERROR');
    },
  );

  test('nor may it be repeated', async () => {
    expectError(
      await tenant.api.get('/testimonials?cursor=start&cursor=start'),
      400,
      'VALIDATION_ERROR',
    );
  });
});

test('a page by cursor has an entity tag, which holds until something changes', async () => {
  const other = await createTenant();
  const [row] = await insertTestimonials(await other.space(), [{}, {}, {}]);
  const first = await other.api.get('/testimonials?limit=1&cursor=start');
  const path = `/testimonials?limit=1&cursor=${first.body.pagination.next_cursor}`;
  const second = await other.api.get(path);
  const tag = second.headers.get('etag') ?? '';
  const again = () => send('GET', path, { key: other.api.key, headers: { 'if-none-match': tag } });
  expect((await again()).status).toBe(304);
  await other.api.patch(`/testimonials/${row?.id}`, { status: 'approved' });
  const changed = await again();
  expect([changed.status, changed.headers.get('etag') === tag]).toEqual([200, false]);
});

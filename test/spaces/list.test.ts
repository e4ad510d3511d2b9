import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { database } from '@/src/database/client';
import { createTenant, type Tenant } from '../helpers/accounts';
import { byCodeUnit, expectError } from '../helpers/expectations';
import { holdHeavyReads } from '../helpers/heavy-reads';
import { refusedPages } from '../helpers/values';

type Row = { id: string; created_at: string; updated_at: string };

const count = 101;
let tenant: Tenant;

beforeAll(async () => {
  tenant = await createTenant();
  await insertSpaces(tenant, count);
});

async function insertSpaces({ accountId }: Tenant, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, i) => ({
    id: randomUUID(),
    user_id: accountId,
    name: 'A space',
    slug: randomUUID(),
    event_sequence: 0,
    // Few values, so that ties span pages.
    created_at: `2026-01-15T10:30:00.12345${i % 4}Z`,
    updated_at: `2026-01-16T10:30:00.00000${(i + 1) % 3}Z`,
  }));
  await database().$executeRaw`
    INSERT INTO spaces SELECT * FROM json_populate_recordset(null::spaces, ${JSON.stringify(rows)}::json)`;
}

async function page(query: string): Promise<Row[]> {
  return (await tenant.api.get(`/spaces?${query}`)).body.data;
}

test('an account without spaces gets an empty page', async () => {
  const { api } = await createTenant();
  expect((await api.get('/spaces')).body).toEqual({
    data: [],
    pagination: { total: 0, limit: 50, offset: 0, has_more: false },
  });
});

test('the rows are as they are read one by one, of the account alone', async () => {
  const own = await createTenant();
  const first = await own.space({ name: 'First', custom_questions: ['One?'] });
  const second = await own.space({ name: 'Second' });
  const { status, body } = await own.api.get('/spaces');
  expect(status).toBe(200);
  expect(body).toEqual({
    data: [second, first],
    pagination: { total: 2, limit: 50, offset: 0, has_more: false },
  });
});

test.each<[string, number, object]>([
  ['', 50, { limit: 50, offset: 0, has_more: true }],
  ['limit=1', 1, { limit: 1, offset: 0, has_more: true }],
  ['limit=100', 100, { limit: 100, offset: 0, has_more: true }],
  ['offset=51', 50, { limit: 50, offset: 51, has_more: false }],
  ['offset=50', 50, { limit: 50, offset: 50, has_more: true }],
  ['limit=1&offset=100', 1, { limit: 1, offset: 100, has_more: false }],
  ['offset=101', 0, { limit: 50, offset: 101, has_more: false }],
  ['offset=9007199254740991', 0, { limit: 50, offset: 2 ** 53 - 1, has_more: false }],
])('a page of "%s" has %i rows', async (query, rows, pagination) => {
  const { status, body } = await tenant.api.get(`/spaces?${query}`);
  expect([status, body.data.length]).toEqual([200, rows]);
  expect(body.pagination).toEqual({ total: count, ...pagination });
});

const orders = (['created_at', 'updated_at'] as const).flatMap((key) =>
  (['asc', 'desc'] as const).map((direction) => [key, direction] as const),
);

describe('sorting', () => {
  test.each(orders)('by %s %s orders the values', async (key, direction) => {
    const rows = await page(`limit=100&sort_by=${key}&sort_order=${direction}`);
    const values = rows.map((row) => row[key]);
    const ascending = [...values].sort(byCodeUnit);
    expect(values).toEqual(direction === 'asc' ? ascending : ascending.reverse());
  });

  test.each(orders)('by %s %s is walked through by cursor, once each', async (key, direction) => {
    const query = `sort_by=${key}&sort_order=${direction}`;
    const walked: Row[] = [];
    for (let cursor = 'start'; cursor; ) {
      const { body } = await tenant.api.get(`/spaces?${query}&limit=10&cursor=${cursor}`);
      walked.push(...body.data);
      const { next_cursor, ...others } = body.pagination;
      expect(others).toEqual({
        total: count,
        limit: 10,
        offset: 0,
        has_more: next_cursor !== null,
      });
      cursor = next_cursor;
    }
    expect(walked).toHaveLength(count);
    expect(walked.slice(0, 100)).toEqual(await page(`${query}&limit=100`));
    expect(walked.slice(100)).toEqual(await page(`${query}&offset=100`));
  });

  test.each(orders)('by %s %s gives pages that together are the whole', async (key, direction) => {
    const query = `sort_by=${key}&sort_order=${direction}`;
    const pages: Row[] = [];
    for (let offset = 0; offset < count; offset += 10) {
      pages.push(...(await page(`${query}&limit=10&offset=${offset}`)));
    }
    expect(new Set(pages.map(({ id }) => id)).size).toBe(count);
    expect(pages.slice(0, 100)).toEqual(await page(`${query}&limit=100`));
  });

  test.each([
    ['', 'sort_by=created_at&sort_order=desc'],
    ['sort_order=asc', 'sort_by=created_at&sort_order=asc'],
    ['sort_by=rating', 'sort_by=created_at&sort_order=desc'],
    ['sort_by=rating&sort_order=asc', 'sort_by=created_at&sort_order=asc'],
    ['sort_by=shares', 'sort_by=created_at&sort_order=desc'],
    ['sort_by=shares&sort_order=asc', 'sort_by=created_at&sort_order=asc'],
  ])('"%s" means %s', async (query, meant) => {
    expect(await page(query)).toEqual(await page(meant));
  });
});

test('a page far down goes on where the one before it ends', async () => {
  const many = await createTenant();
  await insertSpaces(many, 620);
  const pageAt = async (offset: number): Promise<Row[]> =>
    (await many.api.get(`/spaces?limit=100&offset=${offset}`)).body.data;
  const [near, far] = [await pageAt(450), await pageAt(520)];
  expect(far).toHaveLength(100);
  expect(far.slice(0, 30)).toEqual(near.slice(70));
});

test('pages deep down, and by updated_at, are read two at a time; no other page waits for them', async () => {
  const many = await createTenant();
  await many.space();
  const reads = holdHeavyReads();
  const heavy = ['offset=5000', 'sort_by=updated_at', 'sort_by=updated_at&cursor=start'].map(
    (query) => many.api.get(`/spaces?${query}`),
  );
  while (reads.begun() < 2) await setImmediate();
  expect((await many.api.get('/spaces')).body.pagination.total).toBe(1);
  expect(reads.begun()).toBe(2);
  reads.release();
  const answers = await Promise.all(heavy);
  expect(answers.map(({ status, body }) => [status, body.pagination.total])).toEqual(
    Array(3).fill([200, 1]),
  );
  expect(reads.begun()).toBe(3);
});

test.each(refusedPages)('?%s is refused', async (query) => {
  expectError(await tenant.api.get(`/spaces?${query}`), 400, 'VALIDATION_ERROR');
});

test('the filters of testimonials are unknown here, and ignored', async () => {
  const all = await page('');
  expect(await page('status=spam&rating=9&space_id=x&search=absent&date_from=now')).toEqual(all);
});

test('a cursor is refused beside an offset, another order, and in another account', async () => {
  const { body } = await tenant.api.get('/spaces?limit=10&cursor=start');
  const query = `limit=10&cursor=${body.pagination.next_cursor}`;
  const { api } = await createTenant();
  for (const answer of [
    await tenant.api.get('/spaces?cursor=start&offset=1'),
    await tenant.api.get(`/spaces?${query}&offset=10`),
    await tenant.api.get(`/spaces?${query}&sort_order=asc`),
    await tenant.api.get(`/spaces?${query}&sort_by=updated_at`),
    await tenant.api.get(`/testimonials?${query}`),
    await api.get(`/spaces?${query}`),
  ]) {
    expectError(answer, 400, 'VALIDATION_ERROR');
  }
});

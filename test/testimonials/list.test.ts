import { createTenant, type Tenant } from '../helpers/accounts';
import { list, type Query, tenantWith } from './listing';

describe('a page', () => {
  test('of an account without testimonials is empty', async () => {
    const tenant = await createTenant();
    expect(await list(tenant)).toEqual({
      data: [],
      pagination: { total: 0, limit: 50, offset: 0, has_more: false },
    });
  });

  test('holds the rows as they are read one by one, from every space of the account alone', async () => {
    const tenant = await createTenant();
    const other = await createTenant();
    await other.testimonial((await other.space()).id);
    const first = await tenant.testimonial((await tenant.space()).id, { rating: 2 });
    const second = await tenant.testimonial((await tenant.space()).id);
    const { data, pagination } = await list(tenant);
    expect(data).toEqual([second, first]);
    expect(pagination).toEqual({ total: 2, limit: 50, offset: 0, has_more: false });
  });

  describe('of 101 testimonials', () => {
    let tenant: Tenant;
    beforeAll(async () => {
      ({ tenant } = await tenantWith(Array.from({ length: 101 }, () => ({}))));
    });

    test.each<[Query, number, object]>([
      [{}, 50, { limit: 50, offset: 0, has_more: true }],
      [{ limit: 1 }, 1, { limit: 1, offset: 0, has_more: true }],
      [{ limit: 100 }, 100, { limit: 100, offset: 0, has_more: true }],
      [{ offset: 51 }, 50, { limit: 50, offset: 51, has_more: false }],
      [{ offset: 50 }, 50, { limit: 50, offset: 50, has_more: true }],
      [{ offset: 52 }, 49, { limit: 50, offset: 52, has_more: false }],
      [{ limit: 100, offset: 100 }, 1, { limit: 100, offset: 100, has_more: false }],
      [{ limit: 1, offset: 100 }, 1, { limit: 1, offset: 100, has_more: false }],
      [{ limit: 1, offset: 99 }, 1, { limit: 1, offset: 99, has_more: true }],
      [{ offset: 101 }, 0, { limit: 50, offset: 101, has_more: false }],
      [{ status: 'pending', offset: 102 }, 0, { limit: 50, offset: 102, has_more: false }],
      [{ offset: 2 ** 31 }, 0, { limit: 50, offset: 2 ** 31, has_more: false }],
      [{ offset: 2 ** 53 - 1 }, 0, { limit: 50, offset: 2 ** 53 - 1, has_more: false }],
    ])('asked for with %j has %i rows', async (query, count, pagination) => {
      const body = await list(tenant, query);
      expect(body.data).toHaveLength(count);
      expect(body.pagination).toEqual({ total: 101, ...pagination });
    });

    test('counts in total what matches the filters', async () => {
      const { pagination } = await list(tenant, { status: 'approved' });
      expect(pagination).toEqual({ total: 0, limit: 50, offset: 0, has_more: false });
    });
  });
});

describe('no list shows or counts a row of another account', () => {
  const row = {
    type: 'text',
    status: 'approved',
    rating: 5,
    text_content: 'The same words everywhere',
    created_at: '2026-03-01T00:00:00Z',
  };
  let tenant: Tenant;
  let own: string[];

  beforeAll(async () => {
    await tenantWith([row, row]);
    const mine = await tenantWith([row, row, row]);
    tenant = mine.tenant;
    own = mine.rows.map(({ id }) => id).sort();
  });

  const filters: Query[] = [
    {},
    { status: 'approved' },
    { type: 'text' },
    { rating: 5 },
    { date_from: '2026-02-28T00:00:00Z', date_to: '2026-03-02T00:00:00Z' },
  ];
  const searches: Query[] = [{}, { search: 'same words' }, { search: 'e' }];
  const sorts: Query[] = ['created_at', 'updated_at', 'rating', 'shares'].map((sort_by) => ({
    sort_by,
  }));
  const queries = searches.flatMap((search) =>
    filters.flatMap((filter) => sorts.map((sort): Query => ({ ...search, ...filter, ...sort }))),
  );

  test.each(queries)('asked for with %j', async (query) => {
    const { data, pagination } = await list(tenant, query);
    expect(data.map(({ id }: { id: string }) => id).sort()).toEqual(own);
    expect(pagination.total).toBe(3);
  });

  test('nor where the filter names a space of the other account', async () => {
    const other = await tenantWith([row]);
    for (const search of searches) {
      const { data, pagination } = await list(tenant, { ...search, space_id: other.space.id });
      expect([data, pagination.total]).toEqual([[], 0]);
    }
  });
});

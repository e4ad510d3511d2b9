import { sortKey } from '@/src/api/cursor';
import { createTenant, type Tenant } from '../helpers/accounts';
import { byCodeUnit, expectError } from '../helpers/expectations';
import { insertTestimonials } from '../helpers/rows';
import { refusedPages, refusedUuids } from '../helpers/values';

type Row = {
  id: string;
  rating: number | null;
  shares: number;
  created_at: string;
  updated_at: string;
};

describe('sorting', () => {
  const count = 60;
  let tenant: Tenant;

  beforeAll(async () => {
    tenant = await createTenant();
    // Few values per column, so that ties span pages in every order.
    await insertTestimonials(
      await tenant.space(),
      Array.from({ length: count }, (_, i) => ({
        rating: [null, 1, 3, 5, null][i % 5] ?? null,
        shares: i % 3,
        created_at: `2026-01-15T10:30:00.12345${i % 4}Z`,
        updated_at: `2026-01-16T10:30:00.00000${i % 2}Z`,
      })),
    );
  });

  async function page(query: string): Promise<Row[]> {
    return (await tenant.api.get(`/testimonials?${query}`)).body.data;
  }

  const orders = sortKey.options.flatMap((key) =>
    (['asc', 'desc'] as const).map((d) => [key, d] as const),
  );

  test.each(orders)(
    'by %s %s orders the values, those without one last',
    async (key, direction) => {
      const rows = await page(`limit=100&sort_by=${key}&sort_order=${direction}`);
      const values = rows.map((row) => row[key]).filter((value) => value !== null);
      expect(values).toEqual(
        [...values].sort((a, b) => {
          const ascending = byCodeUnit(String(a), String(b));
          return direction === 'asc' ? ascending : -ascending;
        }),
      );
      expect(rows.slice(values.length).every((row) => row[key] === null)).toBe(true);
      expect(values).toHaveLength(key === 'rating' ? (count * 3) / 5 : count);
    },
  );

  test.each(orders)('by %s %s gives pages that together are the whole', async (key, direction) => {
    const query = `sort_by=${key}&sort_order=${direction}`;
    const pages: Row[] = [];
    for (let offset = 0; offset < count; offset += 7) {
      pages.push(...(await page(`${query}&limit=7&offset=${offset}`)));
    }
    expect(new Set(pages.map(({ id }) => id)).size).toBe(count);
    expect(pages).toEqual(await page(`${query}&limit=100`));
  });

  test.each([
    ['', 'sort_by=created_at&sort_order=desc'],
    ['sort_order=asc', 'sort_by=created_at&sort_order=asc'],
    ['sort_by=rating', 'sort_by=rating&sort_order=desc'],
  ])('"%s" means %s', async (query, meant) => {
    expect(await page(query)).toEqual(await page(meant));
  });
});

describe('the query', () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await createTenant();
  });

  async function expectRefused(query: string): Promise<void> {
    expectError(await tenant.api.get(`/testimonials?${query}`), 400, 'VALIDATION_ERROR');
  }

  test.each([
    ...refusedPages,
    'status=',
    'status=Approved',
    'status=deleted',
    'status=approved&status=pending',
    'type=',
    'type=audio',
    'rating=',
    'rating=0',
    'rating=6',
    'rating=-1',
    'rating=4.5',
    'rating=5.0',
    'rating=five',
    'rating=true',
    'rating=null',
    'rating=1,2',
    'space_id=',
    'search=a&search=b',
    'status=%FF',
  ])('?%s is refused', expectRefused);

  test.each([
    'search=%FF',
    'search=caf%E9',
    'search=%ED%A0%80',
    'search=%C0%AF',
    'limit=5&search=a%F0%9F%98&offset=0',
    's%65arch=%FF',
  ])(
    '?%s, which is no UTF-8, is refused where the service itself reads the address',
    async (query) => {
      if (process.env.TEST_FRONT !== 'serverless') return expectRefused(query);
      // Of a function's request, Next puts U+FFFD there before it asks the route.
      const answer = await tenant.api.get(`/testimonials?${query}`);
      expect([answer.status, answer.body.data]).toEqual([200, []]);
    },
  );

  test.each(refusedUuids)('a space_id with %s is refused', async (_name, id) => {
    await expectRefused(`space_id=${encodeURIComponent(id)}`);
  });

  test.each([
    ['', 'empty'],
    ['2026-01-15', 'a date alone'],
    ['2026-01-15T10:30:00', 'no zone'],
    ['2026-01-15T10:30:00+00:00', 'an offset'],
    ['2026-01-15T10:30:00+02:00', 'another offset'],
    ['2026-01-15T10:30:00-00:00', 'a negative offset'],
    ['2026-01-15 10:30:00Z', 'a blank for T'],
    ['2026-01-15t10:30:00z', 'lower case'],
    ['2026-01-15T10:30Z', 'no seconds'],
    ['2026-01-15T10:30:00.Z', 'a point without a fraction'],
    ['2026-01-15T10:30:00,5Z', 'a comma'],
    ['2026-02-30T00:00:00Z', 'February 30'],
    ['2026-02-29T00:00:00Z', 'February 29 of a common year'],
    ['1900-02-29T00:00:00Z', 'February 29 of 1900'],
    ['2026-04-31T00:00:00Z', 'April 31'],
    ['2026-13-01T00:00:00Z', 'month 13'],
    ['2026-00-10T00:00:00Z', 'month 0'],
    ['2026-01-00T00:00:00Z', 'day 0'],
    ['2026-01-15T24:00:00Z', 'hour 24'],
    ['2026-01-15T10:60:00Z', 'minute 60'],
    ['2026-01-15T10:30:60Z', 'second 60'],
    ['12026-01-15T10:30:00Z', 'a year of five digits'],
    ['-0001-01-15T10:30:00Z', 'a year before 0'],
    ['1768473000000', 'a number'],
    ['now', 'a word'],
  ])('the instant "%s" is refused: %s', async (instant) => {
    for (const name of ['date_from', 'date_to']) {
      await expectRefused(`${name}=${encodeURIComponent(instant)}`);
    }
  });

  test('may name what the contract does not know', async () => {
    const { status, body } = await tenant.api.get('/testimonials?page=2&cursor=&user_id=x');
    expect([status, body.data]).toEqual([200, []]);
  });
});

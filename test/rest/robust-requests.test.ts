import { randomUUID } from 'node:crypto';
import { listSpacesInput } from '@/src/spaces/schema';
import { getTestimonialInput, listTestimonialsInput } from '@/src/testimonials/schema';
import { send } from '../helpers/client';
import { code, describedRequests } from './described';

const { attempt, create, account } = describedRequests();

describe('names of Object’s own', () => {
  test.each(['__proto__=1', '__proto__[limit]=1', 'constructor=1', 'toString=x', 'limit[]=1'])(
    '?%s is ignored',
    async (query) => {
      const answer = await attempt('GET', `/testimonials?${query}`);
      expect(answer.status).toBe(200);
      expect(answer.body.pagination.limit).toBe(50);
    },
  );

  test.each(['__proto__', 'constructor', 'hasOwnProperty'])(
    '/testimonials/%s is an id that is no UUID',
    async (name) => {
      expect(code(await attempt('GET', `/testimonials/${name}`))).toBe('VALIDATION_ERROR');
    },
  );
});

describe('integers', () => {
  test.each([
    '1e1',
    '0x2',
    ' 1',
    '1 ',
    '+1',
    '1.5',
    '1.0',
    '١',
    '0',
    '-1',
    '101',
    'NaN',
    'Infinity',
    '1,5',
    'true',
    '1e400',
    '9'.repeat(400),
  ])('?limit=%s is refused', async (value) => {
    const path = `/testimonials?limit=${encodeURIComponent(value)}`;
    expect(code(await attempt('GET', path))).toBe('VALIDATION_ERROR');
  });

  test.each([
    ['limit=1', 200],
    ['limit=100', 200],
    ['limit=010', 200],
    ['offset=0', 200],
    ['offset=-0', 200],
    ['offset=-1', 400],
    ['offset=9007199254740991', 200],
    ['offset=9007199254740992', 400],
    ['offset=99999999999999999999', 400],
    ['rating=5', 200],
    ['rating=6', 400],
    ['rating=0', 400],
  ])('?%s is answered %i', async (query, status) => {
    expect((await attempt('GET', `/testimonials?${query}`)).status).toBe(status);
  });
});

/** Contract, section 4; no other is added. */
const contractParameters = new Set([
  'space_id',
  'status',
  'type',
  'rating',
  'search',
  'date_from',
  'date_to',
  'limit',
  'offset',
  'sort_by',
  'sort_order',
]);

describe('query parameters', () => {
  test.each([
    'limit=1&limit=2',
    'limit=1&limit=1',
    'status=approved&status=pending',
    'search=a&search=b',
  ])('repeated (?%s) are refused', async (query) => {
    expect(code(await attempt('GET', `/testimonials?${query}`))).toBe('VALIDATION_ERROR');
  });

  test.each(['limit=', 'rating=', 'status=', 'space_id=', 'date_from=', 'sort_by=', 'offset'])(
    'empty (?%s) are refused',
    async (query) => {
      expect(code(await attempt('GET', `/testimonials?${query}`))).toBe('VALIDATION_ERROR');
    },
  );

  test.each(['search=', '', '&', '&&=&=', 'unknown=1&unknown=2', '%E0%A4%A', '%', '=x', 'Limit=0'])(
    'none, unknown or broken ones, and an empty search (?%s), change nothing',
    async (query) => {
      const answer = await attempt('GET', `/testimonials?${query}`);
      expect(answer.body.pagination).toMatchObject({ limit: 50, offset: 0 });
    },
  );

  test('that came after the contract mean nothing where they are empty, as they did before', async () => {
    const { id } = (await create({})).body.data;
    const known: [path: string, names: string[]][] = [
      ['/testimonials', listTestimonialsInput.keyof().options],
      ['/spaces', listSpacesInput.keyof().options],
      [`/testimonials/${id}`, getTestimonialInput.keyof().exclude(['id']).options],
    ];
    for (const [path, names] of known) {
      for (const name of names.filter((one) => !contractParameters.has(one))) {
        const { status } = await attempt('GET', `${path}?${name}=`);
        expect([path, name, status]).toEqual([path, name, 200]);
      }
    }
  });

  test('may be encoded in any way', async () => {
    expect((await attempt('GET', '/testimonials?%6Cimit=%32')).body.pagination.limit).toBe(2);
    await create({ text_content: 'plus + and space' });
    for (const search of ['plus+%2B+and', 'plus%20%2b%20and']) {
      expect((await attempt('GET', `/testimonials?search=${search}`)).body.pagination.total).toBe(
        1,
      );
    }
  });

  test('may be very long, and a search has 1,000 characters at most', async () => {
    const search = '😀'.repeat(1000);
    expect((await attempt('GET', `/testimonials?search=${search}`)).body.data).toEqual([]);
    const longer = await attempt('GET', `/testimonials?search=${'x'.repeat(1001)}`);
    expect(code(longer)).toBe('VALIDATION_ERROR');
    const unknown = Array.from({ length: 2000 }, (_, n) => `p${n}=1`).join('&');
    expect((await attempt('GET', `/spaces?${unknown}`)).status).toBe(200);
  });

  test('cannot stand in for a path’s id, nor for a body', async () => {
    const { tenant } = account();
    const { id } = await tenant.space();
    const other = await tenant.space({ name: 'Other' });
    expect((await attempt('GET', `/spaces/${id}?id=${other.id}`)).body.data.id).toBe(id);
    const path = `/spaces/${id}?name=Query`;
    const answer = await attempt('PATCH', path, { json: { id: other.id, name: 'Body' } });
    expect(answer.body.data).toMatchObject({ id, name: 'Body' });
    expect(code(await attempt('POST', '/spaces?name=Query', { json: {} }))).toBe(
      'VALIDATION_ERROR',
    );
  });
});

describe('paths', () => {
  test.each([
    '/Testimonials',
    '/TESTIMONIALS',
    '/testimonials%2f',
    '/testimonials//',
    '//testimonials',
    `/spaces/${'a'.repeat(36)}/`.repeat(2),
    `/${'x'.repeat(8000)}`,
  ])('%s is no endpoint: case and slashes count', async (path) => {
    expect(code(await attempt('POST', path, { json: {} }))).toBe('INVALID_ENDPOINT');
  });

  test.each(['/%74estimonials', '/testimonials/batch/%75pdate'])(
    '%s is the endpoint it would be without the needless escape (RFC 3986, section 6.2.2.2)',
    async (path) => {
      expect(code(await send('POST', path, { key: account().tenant.api.key, json: {} }))).toBe(
        'VALIDATION_ERROR',
      );
    },
  );

  // Of a function's request, Next refuses these before it asks the route.
  const undecodable = process.env.TEST_FRONT === 'serverless' ? [] : ['%', '%E0%A4%A'];
  test.each([...undecodable, '%00', 'a%2fb', '{id}', "'", '%F0%9F%98%80', 'x'.repeat(8000)])(
    '/spaces/%s is an id that is no UUID',
    async (id) => {
      expect(code(await attempt('GET', `/spaces/${id}`))).toBe('VALIDATION_ERROR');
      expect(code(await attempt('DELETE', `/spaces/${id}`))).toBe('VALIDATION_ERROR');
    },
  );

  test('an id is the same in upper case', async () => {
    const { id } = await account().tenant.space();
    expect((await attempt('GET', `/spaces/${id.toUpperCase()}`)).body.data.id).toBe(id);
  });
});

test('headers that mean nothing here change nothing', async () => {
  const answer = await attempt('GET', '/spaces', {
    headers: {
      accept: 'text/html',
      'accept-encoding': 'br;q=1.0, nonsense',
      'x-http-method-override': 'DELETE',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-for': '::::',
      cookie: 'a=b; __proto__=c',
      range: 'bytes=0-1',
      'x-junk': '\u00ff'.repeat(4000),
    },
  });
  expect(answer.status).toBe(200);
});

test('NUL in a query or a path is refused', async () => {
  expect(code(await attempt('GET', '/testimonials?search=a%00b'))).toBe('VALIDATION_ERROR');
  expect(code(await attempt('GET', '/testimonials?status=%00'))).toBe('VALIDATION_ERROR');
  expect(code(await attempt('GET', `/testimonials/${randomUUID()}%00`))).toBe('VALIDATION_ERROR');
});

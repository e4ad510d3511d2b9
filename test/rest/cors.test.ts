import { createAccount, createKey, createTenant } from '../helpers/accounts';
import { type Answer, send } from '../helpers/client';
import { contractPaths, operationCases, perform } from './contract';

const open = contractPaths.filter((path) => path.cors);
const closed = contractPaths.filter((path) => !path.cors);
const origin = 'https://shop.example';

const corsHeaders = ({ headers }: Answer) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'));

const preflight = (path: string, key?: string) =>
  send('OPTIONS', path, {
    key,
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization, content-type',
    },
  });

test('the contract opens three paths to browsers, and no other', () => {
  expect(open.map(({ template }) => template)).toEqual([
    '/testimonials',
    '/testimonials/{id}',
    '/spaces',
  ]);
});

describe.each(open)('$template', ({ path, methods }) => {
  test.each(['', '/'])('answers a preflight without a key (path ending in %j)', async (slash) => {
    const answer = await preflight(`${path}${slash}`);
    expect([answer.status, answer.text]).toEqual([204, '']);
    const { headers } = answer;
    expect(headers.get('access-control-allow-origin')).toBe('*');
    const allowed = headers.get('access-control-allow-methods')?.split(', ');
    expect(allowed?.sort()).toEqual([...methods].sort());
    // What a GET brings along is read by HEAD too; RFC 9110, section 10.2.1.
    const offered = headers.get('allow')?.split(', ');
    expect(offered).toEqual(expect.arrayContaining([...methods, 'HEAD', 'OPTIONS']));
    expect(headers.get('access-control-allow-headers')?.toLowerCase().split(', ')).toEqual([
      'authorization',
      'content-type',
      'if-none-match',
      'idempotency-key',
      'prefer',
    ]);
    // Credentials are no part of it: the key travels in a header that scripts set themselves.
    expect(headers.has('access-control-allow-credentials')).toBe(false);
    expect(headers.has('content-type')).toBe(false);
    expect(headers.has('x-ratelimit-limit')).toBe(false);
    expect(headers.get('x-request-id')).toBeTruthy();
  });

  test('lets browsers read its answers and their headers, errors included', async () => {
    const key = await createKey(await createAccount(), ['read']);
    const answers = [
      await send('GET', path, { headers: { origin } }),
      await send('GET', path, { key: 'junk', headers: { origin } }),
      await send('GET', path, { key }),
      await send('PUT', path, { key, headers: { origin } }),
      await send('GET', `${path}?limit=0`, { key, headers: { origin } }),
    ];
    for (const answer of answers) {
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      const exposed = answer.headers.get('access-control-expose-headers')?.toLowerCase();
      expect(exposed?.split(', ')).toEqual([
        'x-ratelimit-limit',
        'x-ratelimit-remaining',
        'x-ratelimit-reset',
        'retry-after',
        'x-request-id',
        'etag',
      ]);
    }
  });
});

describe.each(closed)('$template', ({ path }) => {
  test('answers no preflight, and sends no CORS header with anything', async () => {
    const key = await createKey(await createAccount(), ['read']);
    const answers = [
      await preflight(path),
      await preflight(path, key),
      await send('GET', path, { headers: { origin } }),
      await send('GET', path, { key, headers: { origin } }),
      await send('PATCH', path, { key, json: {}, headers: { origin } }),
      await send('PUT', path, { key, headers: { origin } }),
    ];
    expect(answers.map(corsHeaders)).toEqual(answers.map(() => []));
    expect(answers.map(({ status }) => status).slice(0, 2)).toEqual([401, 405]);
  });
});

test.each(['/nowhere', '/testimonials/batch/other', '/testimonials/batch', '/'])(
  '%s sends no CORS header unless it is a testimonial by its path',
  async (path) => {
    const key = await createKey(await createAccount());
    const isTestimonial = path === '/testimonials/batch';
    for (const answer of [await preflight(path), await send('GET', path, { key })]) {
      expect(corsHeaders(answer).length > 0).toBe(isTestimonial);
    }
  },
);

test.each(operationCases)(
  '%s succeeds with or without CORS as the contract says',
  async (_, operation) => {
    const tenant = await createTenant();
    const answer = await perform(operation, tenant, await createKey(tenant.accountId));
    expect(answer.status).toBe(operation.success);
    expect(corsHeaders(answer)).toHaveLength(operation.cors ? 2 : 0);
  },
);

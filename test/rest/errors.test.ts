import { randomUUID } from 'node:crypto';
import { GET } from '@/app/api/[[...path]]/route';
import { errorTable } from '@/src/api/errors';
import { createAccount, createKey, createTenant, minimalTestimonial } from '../helpers/accounts';
import { type Answer, client, send } from '../helpers/client';
import { allOperations, contractPaths, operationCases, perform } from './contract';

const megabyte = 1024 * 1024;

/** Contract, section 7. */
const contractStatuses = {
  UNAUTHORIZED: 401,
  INVALID_API_KEY: 401,
  API_KEY_DISABLED: 403,
  API_KEY_EXPIRED: 403,
  INSUFFICIENT_SCOPE: 403,
  RATE_LIMIT_EXCEEDED: 429,
  VALIDATION_ERROR: 400,
  TESTIMONIAL_NOT_FOUND: 404,
  SPACE_NOT_FOUND: 404,
  INVALID_ENDPOINT: 404,
  INTERNAL_ERROR: 500,
};

const newKey = async () => createKey(await createAccount());

function expectError(answer: Answer, status: number, code: string): void {
  expect([answer.status, answer.body]).toEqual([
    status,
    { error: { code, message: expect.any(String) } },
  ]);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
}

test('every code of the contract has its status', () => {
  const statuses = Object.entries(errorTable).map(([code, { status }]) => [code, status]);
  expect(Object.fromEntries(statuses)).toMatchObject(contractStatuses);
});

test('every answer has a request id of its own, whatever the client sends', async () => {
  const key = await newKey();
  const headers = { 'x-request-id': 'mine' };
  const answers = [
    await send('GET', '/spaces', { key, headers }),
    await send('GET', '/spaces', { headers }),
    await send('GET', '/nowhere', { key }),
    await send('OPTIONS', '/spaces'),
    await send('GET', '/openapi.json'),
  ];
  const ids = answers.map((answer) => answer.headers.get('x-request-id'));
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(new Set(ids).size).toBe(ids.length);
});

test('no answer is kept by a cache between', async () => {
  const key = await newKey();
  const read = await send('GET', '/spaces', { key });
  expect(read.headers.get('cache-control')).toBe('private, no-cache');
  for (const [method, path] of [
    ['GET', '/nothing'],
    ['POST', '/spaces'],
  ] as const) {
    const other = await send(method, path, {
      key,
      json: method === 'GET' ? undefined : { name: 'A' },
    });
    expect(other.headers.get('cache-control')).toBe('no-store');
  }
});

describe('VALIDATION_ERROR', () => {
  test('says neither in its message nor in details which field was wrong', async () => {
    const tenant = await createTenant();
    const space = await tenant.space();
    const id = (await tenant.testimonial(space.id)).id;
    const valid = minimalTestimonial(space.id);
    const answers = [
      await tenant.api.get('/testimonials?limit=0'),
      await tenant.api.get('/testimonials?rating=5&rating=4'),
      await tenant.api.get('/spaces?sort_by=name'),
      await tenant.api.get('/spaces/no-uuid'),
      await tenant.api.post('/testimonials', { ...valid, submitter_email: 'nobody' }),
      await tenant.api.post('/testimonials', { ...valid, rating: 'five' }),
      await tenant.api.post('/testimonials', [valid]),
      await tenant.api.patch(`/testimonials/${id}`, {}),
      await tenant.api.post('/testimonials/batch/delete', { testimonial_ids: ['x'] }),
      await tenant.api.post('/spaces', { name: '', primary_color: 'red' }),
    ];
    for (const answer of answers) expectError(answer, 400, 'VALIDATION_ERROR');
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });
});

describe('a body that is not JSON', () => {
  test.each([
    '',
    ' ',
    '{',
    '{"name":"A"',
    "{'name':'A'}",
    '{"name":"A"}}',
    'name=A',
    'NaN',
    '[1,]',
  ])('%j is answered 500 INTERNAL_ERROR', async (raw) => {
    expectError(await send('POST', '/spaces', { key: await newKey(), raw }), 500, 'INTERNAL_ERROR');
  });

  test('or no body at all, likewise, for every operation that needs one', async () => {
    const key = await newKey();
    for (const { method, template, isBodyOptional } of allOperations) {
      if (method !== 'POST' && method !== 'PATCH') continue;
      const answer = await send(method, template.replace('{id}', randomUUID()), { key });
      // What it is about is not there.
      if (isBodyOptional) expectError(answer, 404, expect.stringMatching(/_NOT_FOUND$/));
      else expectError(answer, 500, 'INTERNAL_ERROR');
    }
  });

  test('is none of anybody’s business before authentication and scope', async () => {
    const key = await createKey(await createAccount(), ['read', 'delete']);
    expectError(await send('POST', '/spaces', { key, raw: '{' }), 403, 'INSUFFICIENT_SCOPE');
    const answer = await send('POST', '/spaces', { raw: '{' });
    expect([answer.status, answer.body.error.code]).toEqual([401, 'UNAUTHORIZED']);
  });
});

test.each(['[]', '[{"name":"A"}]', '"name"', '1', 'null', 'true'])(
  'a body that is JSON but no object (%s) is answered 400',
  async (raw) => {
    expectError(
      await send('POST', '/spaces', { key: await newKey(), raw }),
      400,
      'VALIDATION_ERROR',
    );
  },
);

describe('the size of a body', () => {
  const bodyOf = (bytes: number) => {
    const empty = JSON.stringify({ name: 'Large', ignored: '' });
    return JSON.stringify({ name: 'Large', ignored: 'x'.repeat(bytes - empty.length) });
  };

  /** Without a Content-Length, in chunks. */
  const streamed = (text: string) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        const bytes = new TextEncoder().encode(text);
        for (let at = 0; at < bytes.length; at += 65_536) {
          controller.enqueue(bytes.subarray(at, at + 65_536));
        }
        controller.close();
      },
    });

  test('may be exactly 1 MiB', async () => {
    const key = await newKey();
    expect((await send('POST', '/spaces', { key, raw: bodyOf(megabyte) })).status).toBe(201);
    expect((await send('POST', '/spaces', { key, raw: streamed(bodyOf(megabyte)) })).status).toBe(
      201,
    );
  });

  test('of one byte more is answered 413, with or without a Content-Length', async () => {
    const key = await newKey();
    const large = bodyOf(megabyte + 1);
    expectError(await send('POST', '/spaces', { key, raw: large }), 413, 'PAYLOAD_TOO_LARGE');
    const raw = streamed(large);
    expectError(await send('POST', '/spaces', { key, raw }), 413, 'PAYLOAD_TOO_LARGE');
    expect((await client(key).get('/spaces')).body.pagination.total).toBe(0);
  });

  test('is counted in bytes, not in characters', async () => {
    const key = await newKey();
    const raw = JSON.stringify({ name: 'Large', ignored: 'é'.repeat(megabyte / 2) });
    expect(raw.length).toBeLessThan(megabyte);
    expectError(await send('POST', '/spaces', { key, raw }), 413, 'PAYLOAD_TOO_LARGE');
  });

  test('is of no account where an operation takes no body', async () => {
    const key = await newKey();
    const raw = bodyOf(2 * megabyte);
    expect((await send('DELETE', `/spaces/${randomUUID()}`, { key, raw })).status).toBe(204);
  });
});

describe('a method that a path does not offer', () => {
  test.each(contractPaths)('$template answers 405 with Allow', async ({ path, methods, cors }) => {
    const key = await newKey();
    const candidates = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', ...(cors ? [] : ['OPTIONS'])];
    for (const method of candidates.filter(
      (name) => !methods.some((offered) => offered === name),
    )) {
      const answer = await send(method, path, { key });
      expectError(answer, 405, 'METHOD_NOT_ALLOWED');
      const expected: string[] = [...methods];
      if (expected.includes('GET')) expected.push('HEAD');
      if (cors) expected.push('OPTIONS');
      expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(expected.sort());
    }
  });

  test('HEAD where there is no GET, too', async () => {
    const answer = await send('HEAD', '/testimonials/batch/update', { key: await newKey() });
    expect([answer.status, answer.text]).toEqual([405, '']);
  });
});

describe('a path that there is not', () => {
  test.each([
    '/',
    '',
    '/nowhere',
    '/testimonials/a/b',
    '/spaces/a/b',
    '/testimonials/batch/update/x',
    '//',
  ])('%j is answered 404 INVALID_ENDPOINT', async (path) => {
    expectError(await send('GET', path, { key: await newKey() }), 404, 'INVALID_ENDPOINT');
  });

  test('beside the API it is the same, and kept by nobody', async () => {
    const response = GET();
    expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store']);
    expect(await response.json()).toMatchObject({ error: { code: 'INVALID_ENDPOINT' } });
  });

  test.each(['other', 'Update', 'updates', 'delete%20', 'create', 'undefined'])(
    'the batch operation %j likewise, for a key of any scope and any method',
    async (operation) => {
      const accountId = await createAccount();
      for (const scope of ['read', 'write', 'delete'] as const) {
        const key = await createKey(accountId, [scope]);
        const path = `/testimonials/batch/${operation}`;
        expectError(await send('POST', path, { key, json: {} }), 404, 'INVALID_ENDPOINT');
        expectError(await send('GET', path, { key }), 404, 'INVALID_ENDPOINT');
      }
    },
  );
});

describe('HEAD', () => {
  test('answers like GET, without the body', async () => {
    const tenant = await createTenant();
    const key = await createKey(tenant.accountId);
    const { id } = await tenant.space();
    for (const path of [
      `/spaces/${id}`,
      '/spaces',
      '/testimonials?limit=0',
      `/spaces/${randomUUID()}`,
    ]) {
      const get = await send('GET', path, { key });
      const head = await send('HEAD', path, { key });
      expect([path, head.status, head.text]).toEqual([path, get.status, '']);
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
    }
  });

  test('needs the scope read', async () => {
    const key = await createKey(await createAccount(), ['write']);
    expect((await send('HEAD', '/spaces', { key })).status).toBe(403);
  });
});

test.each(operationCases)(
  '%s answers a path with a trailing slash as without it',
  async (_, operation) => {
    const tenant = await createTenant();
    const key = await createKey(tenant.accountId);
    const slashed: typeof operation = {
      ...operation,
      prepare: async (owner) => {
        const request = await operation.prepare(owner);
        return { ...request, path: `${request.path}/` };
      },
    };
    expect((await perform(slashed, tenant, key)).status).toBe(operation.success);
  },
);

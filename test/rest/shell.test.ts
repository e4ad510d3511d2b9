import { createLog } from '@/src/logging/log';
import { singleton } from '@/src/singleton';

let send: typeof import('../helpers/client').send;
let createTenant: typeof import('../helpers/accounts').createTenant;
let createKey: typeof import('../helpers/accounts').createKey;
let leave: () => Promise<void>;

// Once more from the start, with a router that has more: what every test file loads has none of it.
beforeAll(async () => {
  jest.resetModules();
  const actual = await import('@/src/router');
  const additions = await makeAdditions();
  jest.doMock('@/src/router', () => ({
    appRouter: additions.router({ ...actual.appRouter._def.record, additions: additions.added }),
  }));
  jest.doMock('@/src/rest/build-id', () => ({ buildId: () => build.id }));
  const client = await import('../helpers/client');
  send = client.send;
  ({ createTenant, createKey } = await import('../helpers/accounts'));
  const { settled } = await import('../helpers/next-server');
  leave = async () => {
    await settled();
    await client.stopNodeFront();
  };
});

afterAll(() => leave());

/** Procedures that are declared after all others, and answer what none of those does. */
async function makeAdditions() {
  const { z } = await import('zod');
  const { byteStream } = await import('@/src/api/fields');
  const { procedure, router } = await import('@/src/api/trpc');
  const read = (path: `/${string}`) => ({
    openapi: { method: 'GET' as const, path, operationId: path.replace(/\W/g, '') },
    scope: 'read' as const,
    success: 200 as const,
  });
  const added = router({
    summary: procedure
      .meta(read('/testimonials/summary'))
      .input(z.object({}))
      .output(z.object({ name: z.string() }))
      .query(() => ({ name: 'summary' })),
    moment: procedure
      .meta({ ...read('/spaces/moment'), conditional: false })
      .input(z.object({}))
      .output(z.object({ call: z.int() }))
      .query(() => {
        state.calls += 1;
        return { call: state.calls };
      }),
    csv: procedure
      .meta({ ...read('/spaces/{id}/csv'), contentType: 'text/csv; charset=utf-8' })
      .input(z.object({ id: z.string(), rows: z.int().default(3) }))
      .output(byteStream)
      .query(({ input }) => lines(input.id, input.rows)),
    shapes: procedure
      .meta({
        openapi: { method: 'POST', path: '/spaces/shapes', operationId: 'shapes' },
        scope: 'write',
        success: 201,
      })
      .input(
        z.object({
          flag: z.boolean().optional(),
          count: z.int().nullish(),
          list: z.array(z.int()).max(5).optional(),
          items: z
            .array(z.object({ rating: z.int().optional() }))
            .max(5)
            .optional(),
          inner: z.object({ flag: z.boolean().default(true) }).optional(),
        }),
      )
      .output(z.object({ isTaken: z.boolean() }))
      .mutation(() => ({ isTaken: true })),
  });
  return { router, added };
}

const state = { calls: 0, written: 0, hasEnded: false };

async function* lines(id: string, rows: number): AsyncGenerator<Uint8Array> {
  state.written = 0;
  state.hasEnded = false;
  try {
    for (let row = 0; row < rows; row += 1) {
      state.written += 1;
      if (row === 666) throw new Error('the database went away');
      yield new TextEncoder().encode(`${id},${row},é\n`);
    }
  } finally {
    state.hasEnded = true;
  }
}

const build = { id: 'one' };

const written: Record<string, unknown>[] = [];
singleton('log', () => createLog('info', { write: (line) => written.push(JSON.parse(line)) }));

async function newKey(): Promise<string> {
  return createKey((await createTenant()).accountId);
}

test('a literal path goes before a parameter, whatever was declared first', async () => {
  const tenant = await createTenant();
  const { id } = await tenant.testimonial((await tenant.space()).id);
  expect((await tenant.api.get('/testimonials/summary')).body).toEqual({ name: 'summary' });
  expect((await tenant.api.get('/testimonials/summary/')).body).toEqual({ name: 'summary' });
  expect((await tenant.api.get(`/testimonials/${id}`)).body.data.id).toBe(id);
  const deleted = await tenant.api.delete('/testimonials/summary');
  expect([deleted.status, deleted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

test.each([
  { flag: 'false' },
  { flag: 0 },
  { count: '5' },
  { count: true },
  { list: ['5'] },
  { items: [{ rating: '5' }] },
  { inner: { flag: '' } },
])('no value of another type is taken for what it might mean: %j', async (json) => {
  const key = await newKey();
  const right = { flag: false, count: null, list: [5], items: [{ rating: 5 }], inner: {} };
  for (let count = 0; count < 2; count += 1) {
    expect((await send('POST', '/spaces/shapes', { key, json: right })).status).toBe(201);
    expect((await send('POST', '/spaces/shapes', { key, json })).status).toBe(400);
  }
});

test('an operation that says so is asked every time, and has no entity tag', async () => {
  const key = await newKey();
  const first = await send('GET', '/spaces/moment', { key });
  const second = await send('GET', '/spaces/moment', { key, headers: { 'if-none-match': '*' } });
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.body.call).toBe(first.body.call + 1);
  expect(second.headers.get('etag')).toBeNull();
  expect(second.headers.get('cache-control')).toBe('no-store');
});

describe('an answer of another content type', () => {
  const ask = (key: string, path = '/spaces/a/csv', method = 'GET') => send(method, path, { key });

  test('is sent as it comes, uncached, with the headers of every answer', async () => {
    const key = await newKey();
    for (let turn = 0; turn < 2; turn += 1) {
      const { status, text, headers } = await ask(key);
      expect([status, text]).toEqual([200, 'a,0,é\na,1,é\na,2,é\n']);
      expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('etag')).toBeNull();
      expect(headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
      expect(state).toMatchObject({ written: 3, hasEnded: true });
    }
  });

  test('has no body for HEAD, and asks for none of it', async () => {
    state.written = 0;
    const { status, text, headers } = await ask(await newKey(), '/spaces/a/csv', 'HEAD');
    expect([status, text, state.written]).toEqual([200, '', 0]);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  });

  test('is an error in our form where it fails before it begins', async () => {
    const key = await newKey();
    const { status, body, headers } = await send('GET', '/spaces/a/csv?rows=x', { key });
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test('is cut off where it fails later, so that nobody takes a part for the whole', async () => {
    const answer = ask(await newKey(), '/spaces/a/csv?rows=100000');
    await expect(answer).rejects.toThrow();
    expect(state.hasEnded).toBe(true);
    expect(written.filter(({ msg }) => msg === 'answer broke off')).toEqual([
      expect.objectContaining({
        requestId: expect.any(String),
        err: expect.objectContaining({ message: 'the database went away' }),
      }),
    ]);
  });

  test('stands in the document as such', async () => {
    const { body } = await send('GET', '/openapi.json');
    const { responses } = body.paths['/spaces/{id}/csv'].get;
    expect(responses['200'].content).toEqual({
      'text/csv': { schema: { type: 'string', format: 'binary' } },
    });
    expect(responses).not.toHaveProperty('304');
    expect(responses['200'].headers).not.toHaveProperty('ETag');
  });
});

test('a build that mends a body is asked for it again: its tags are others', async () => {
  const tenant = await createTenant();
  await tenant.space();
  const before = await tenant.api.get('/spaces');
  const headers = { 'if-none-match': before.headers.get('etag') ?? '' };
  const ask = () => send('GET', '/spaces', { key: tenant.api.key, headers });
  expect((await ask()).status).toBe(304);
  build.id = 'two';
  const after = await ask();
  expect([after.status, after.body]).toEqual([200, before.body]);
  expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
});

import { randomUUID } from 'node:crypto';
import { database, disconnect, pool } from '@/src/database/client';
import { provideEnv } from '@/src/env';
import { requestDigest } from '@/src/idempotency/key';
import { createKey, createTenant, minimalTestimonial, type Tenant } from '../helpers/accounts';
import type { SendOptions } from '../helpers/client';
import { onServer } from '../helpers/locks';
import { sendDescribed } from '../rest/conformance';
import { allOperations } from '../rest/contract';
import { withKey } from './keyed';

const keyed = allOperations
  .filter(({ method }) => method === 'POST' || method === 'PATCH')
  .map((operation) => [`${operation.method} ${operation.template}`, operation] as const);

afterEach(() => provideEnv({ ACCOUNT_QUOTA_BYTES: '' }));

/** All that an account has, but for the answers that it keeps. */
async function stateOf({ accountId, api, events }: Tenant) {
  const [testimonials, spaces] = [await api.get('/testimonials'), await api.get('/spaces')];
  const deliveries = await database().webhookDelivery.count({
    where: { event: { userId: accountId } },
  });
  return [testimonials.body, spaces.body, await events(), deliveries];
}

const uuids = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

describe.each(keyed)('%s', (_, operation) => {
  test('is done once, and answers the same again, byte for byte', async () => {
    const tenant = await createTenant();
    const { path, json } = await operation.prepare(tenant);
    const options = withKey(tenant, randomUUID(), { json });
    const first = await sendDescribed(operation.method, path, options);
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([
      operation.success,
      null,
    ]);
    const state = await stateOf(tenant);
    // What stands in a path besides names are UUIDs, which are the same in any letter case.
    const inCapitals = path.replace(uuids, (id) => id.toUpperCase());
    for (const same of [path, `${path}/`, inCapitals]) {
      const again = await sendDescribed(operation.method, same, options);
      expect([again.status, again.text]).toEqual([first.status, first.text]);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
    }
    expect(await stateOf(tenant)).toEqual(state);
  });

  test('gets through with one connection to the database', async () => {
    const tenant = await createTenant();
    const { path, json } = await operation.prepare(tenant);
    await withPoolOfOne(async () => {
      const options = withKey(tenant, randomUUID(), { json });
      const statuses = [];
      for (let count = 0; count < 2; count += 1) {
        statuses.push((await sendDescribed(operation.method, path, options)).status);
      }
      expect(statuses).toEqual([operation.success, operation.success]);
    });
  });

  // All connections to an embedded database are one session.
  onServer('is not asked of a connection again that takes no writes', async () => {
    const tenant = await createTenant();
    const { path, json } = await operation.prepare(tenant);
    await withPoolOfOne(async () => {
      await pool().query('SET default_transaction_read_only = on');
      const options = withKey(tenant, randomUUID(), { json });
      // The first may have had another to write the use of the API key.
      await sendDescribed(operation.method, path, options);
      const again = await sendDescribed(operation.method, path, options);
      expect(again.status).toBe(operation.success);
    });
  });

  test('with the key of another request answers 422 and does nothing', async () => {
    const tenant = await createTenant();
    const { path, json } = await operation.prepare(tenant);
    const key = randomUUID();
    await sendDescribed('POST', '/spaces', withKey(tenant, key, { json: { name: 'First' } }));
    const state = await stateOf(tenant);
    const answer = await sendDescribed(operation.method, path, withKey(tenant, key, { json }));
    expect([answer.status, answer.body.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(await stateOf(tenant)).toEqual(state);
  });
});

test('reads and deletes take no notice of a key, whatever it is', async () => {
  const tenant = await createTenant();
  const { id } = await tenant.testimonial((await tenant.space()).id);
  const options = withKey(tenant, 'x'.repeat(300));
  const statuses = [];
  for (const method of ['GET', 'DELETE', 'DELETE']) {
    const answer = await sendDescribed(method, `/testimonials/${id}`, options);
    statuses.push(answer.status);
  }
  expect(statuses).toEqual([200, 204, 404]);
});

describe('the key', () => {
  const attempt = async (tenant: Tenant, header: string) => {
    const options = withKey(tenant, header, { json: { name: 'A space' } });
    return sendDescribed('POST', '/spaces', options);
  };

  test.each([
    ['256 characters', 'x'.repeat(256)],
    ['nothing', ''],
    ['a quoted nothing', '""'],
    ['256 quoted characters', `"${'x'.repeat(256)}"`],
    ['a quote that does not end', '"abc'],
    ['two strings', '"a", "b"'],
    ['a string with a parameter', '"a";b=1'],
    ['an escape that is none', '"a\\b"'],
    ['a character beyond ASCII', 'é'],
    ['a control character', 'a\tb'],
  ])('of %s is refused, and nothing is done', async (_, header) => {
    const tenant = await createTenant();
    const answer = await attempt(tenant, header);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect((await tenant.api.get('/spaces')).body.pagination.total).toBe(0);
  });

  test.each([
    ['one character', 'x', '"x"'],
    ['255 characters', 'x'.repeat(255), `"${'x'.repeat(255)}"`],
    ['quotes, backslashes and spaces', 'a "b" \\c, d', '"a \\"b\\" \\\\c, d"'],
  ])('of %s is the same plain and as a quoted string', async (_, plain, quoted) => {
    const tenant = await createTenant();
    const [first, again] = [await attempt(tenant, plain), await attempt(tenant, quoted)];
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    expect((await tenant.api.get('/spaces')).body.pagination.total).toBe(1);
  });

  test('is one of the account, with whichever of its API keys, and of no other account', async () => {
    const [one, other] = [await createTenant(), await createTenant()];
    const key = randomUUID();
    const json = { name: 'A space' };
    const first = await sendDescribed('POST', '/spaces', withKey(one, key, { json }));
    const sibling = { ...withKey(one, key, { json }), key: await createKey(one.accountId) };
    expect((await sendDescribed('POST', '/spaces', sibling)).text).toBe(first.text);
    const foreign = await sendDescribed('POST', '/spaces', withKey(other, key, { json }));
    expect(foreign.status).toBe(201);
    expect(foreign.body.data.id).not.toBe(first.body.data.id);
  });
});

test('the order of fields, white space and unknown fields do not make another request', async () => {
  const tenant = await createTenant();
  const key = randomUUID();
  const bodies = [
    '{"name":"A","description":"B"}',
    ' { "description": "B", "unknown": 1, "name": "\\u0041" } ',
  ];
  const answers = [];
  for (const raw of bodies) {
    answers.push(await sendDescribed('POST', '/spaces', withKey(tenant, key, { raw })));
  }
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  expect(answers[1]?.text).toBe(answers[0]?.text);
});

test('the order of fields within fields does not make another request, that of a list does', async () => {
  const tenant = await createTenant();
  const { id } = await tenant.space();
  const { submitter_name, ...rest } = minimalTestimonial(id);
  const [one, other] = [
    { ...rest, submitter_name },
    { submitter_name, ...rest },
  ];
  const key = randomUUID();
  const answers = [];
  for (const testimonials of [
    [one, { ...other, rating: 5 }],
    [other, { ...one, rating: 5 }],
    [{ ...one, rating: 5 }, one],
  ]) {
    const options = withKey(tenant, key, { json: { testimonials } });
    const { status, headers } = await sendDescribed('POST', '/imports', options);
    answers.push([status, headers.get('idempotency-replayed')]);
  }
  expect(answers).toEqual([
    [200, null],
    [200, 'true'],
    [422, null],
  ]);
});

test('another value or another row makes another request', async () => {
  const tenant = await createTenant();
  const [one, other] = [await tenant.space(), await tenant.space()];
  const key = randomUUID();
  const change = async (id: string, name: string) => {
    const options = withKey(tenant, key, { json: { name } });
    return (await sendDescribed('PATCH', `/spaces/${id}`, options)).status;
  };
  expect(await change(one.id, 'New')).toBe(200);
  expect(await change(one.id, 'Newer')).toBe(422);
  expect(await change(other.id, 'New')).toBe(422);
  expect(await change(one.id, 'New')).toBe(200);
  // No path has two methods whose answers are kept, so far.
  const [posted, patched] = ['POST', 'PATCH'].map((method) =>
    requestDigest({ method, path: '/spaces', body: {} }),
  );
  expect(posted).not.toEqual(patched);
});

test('what was refused is not kept: the same key then works', async () => {
  const tenant = await createTenant();
  const space = await tenant.space();
  const key = randomUUID();
  const attempt = async (options: SendOptions) => {
    const answer = await sendDescribed('POST', '/testimonials', withKey(tenant, key, options));
    return answer.body.error?.code ?? answer.status;
  };
  const valid = minimalTestimonial(space.id);
  provideEnv({ ACCOUNT_QUOTA_BYTES: '1' });
  const full = await attempt({ json: valid });
  provideEnv({ ACCOUNT_QUOTA_BYTES: '' });
  const codes = [
    full,
    await attempt({ json: valid, key: 'junk' }),
    await attempt({ json: valid, key: await createKey(tenant.accountId, ['read']) }),
    await attempt({ json: { ...valid, rating: 9 } }),
    await attempt({ raw: '{' }),
    await attempt({ json: minimalTestimonial(randomUUID()) }),
    await attempt({ json: valid }),
  ];
  expect(codes).toEqual([
    'QUOTA_EXCEEDED',
    'INVALID_API_KEY',
    'INSUFFICIENT_SCOPE',
    'VALIDATION_ERROR',
    'INTERNAL_ERROR',
    'SPACE_NOT_FOUND',
    201,
  ]);
  const types = (await tenant.events()).map(({ type }) => type);
  expect(types.filter((type) => type.startsWith('testimonial'))).toEqual(['testimonial.created']);
});

test('the request that filled the account is answered again, and no other', async () => {
  const tenant = await createTenant();
  const options = withKey(tenant, randomUUID(), { json: { name: 'Last' } });
  const first = await sendDescribed('POST', '/spaces', options);
  provideEnv({ ACCOUNT_QUOTA_BYTES: '1' });
  const again = await sendDescribed('POST', '/spaces', options);
  expect([again.status, again.text]).toEqual([201, first.text]);
  const other = withKey(tenant, randomUUID(), { json: { name: 'Last' } });
  expect((await sendDescribed('POST', '/spaces', other)).status).toBe(413);
});

test('an answer is there as it was when the row has changed or is gone', async () => {
  const tenant = await createTenant();
  const space = await tenant.space();
  const options = withKey(tenant, randomUUID(), { json: minimalTestimonial(space.id) });
  const first = await sendDescribed('POST', '/testimonials', options);
  await tenant.api.patch(`/testimonials/${first.body.data.id}`, { rating: 4 });
  expect((await sendDescribed('POST', '/testimonials', options)).text).toBe(first.text);
  await tenant.api.delete(`/spaces/${space.id}`);
  expect((await sendDescribed('POST', '/testimonials', options)).text).toBe(first.text);
});

test('browsers of other origins are told that an answer is replayed', async () => {
  const tenant = await createTenant();
  const headers = { origin: 'https://shop.example' };
  const options = withKey(tenant, randomUUID(), { json: { name: 'A space' }, headers });
  const exposed = [];
  for (let count = 0; count < 2; count += 1) {
    const answer = await sendDescribed('POST', '/spaces', options);
    exposed.push(answer.headers.get('access-control-expose-headers')?.includes('Idempotency'));
  }
  expect(exposed).toEqual([false, true]);
});

/** Runs a task with so many connections. */
async function withPoolOfOne(task: () => Promise<void>): Promise<void> {
  const { DATABASE_POOL_SIZE = '' } = process.env;
  await disconnect();
  provideEnv({ DATABASE_POOL_SIZE: '1' });
  try {
    await task();
  } finally {
    await disconnect();
    provideEnv({ DATABASE_POOL_SIZE });
  }
}

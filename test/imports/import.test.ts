import { randomUUID } from 'node:crypto';
import { maxBodyBytes, maxImportBytes } from '@/src/api/body';
import { database } from '@/src/database/client';
import { provideEnv } from '@/src/env';
import { importedTestimonial } from '@/src/imports/schema';
import { createTenant, type Tenant } from '../helpers/accounts';
import { send } from '../helpers/client';
import { statementsOf } from '../helpers/statements';
import { sendDescribed } from '../rest/conformance';
import { importInto, item, results, storedOf } from './items';

let tenant: Tenant;
let space: string;

beforeEach(async () => {
  tenant = await createTenant();
  space = (await tenant.space()).id;
});

afterEach(() => provideEnv({ ACCOUNT_QUOTA_BYTES: '' }));

type Result = { result: string; id?: string; errors?: { field?: string; message: string }[] };

const stored = () => storedOf(tenant);

const attempt = (json: unknown, headers: Record<string, string> = {}) =>
  sendDescribed('POST', '/imports', { key: tenant.api.key, json, headers });

const many = (count: number, fields: Record<string, unknown> = {}) =>
  Array.from({ length: count }, (_, index) => item(space, `row-${index}`, fields));

test('the answer has a result for each item, in their order, and totals', async () => {
  await importInto(tenant, [item(space, 'there')]);
  const { status, body } = await attempt({
    testimonials: [
      item(space, 'new'),
      item(space, 'bad', { rating: 9, submitter_email: 'no address' }),
      item(space, 'there'),
      item(space),
      null,
      item(randomUUID(), 'lost'),
    ],
  });
  expect(status).toBe(200);
  const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
  const badFields = [
    { field: 'submitter_email', message: 'must be an e-mail address of at most 320 characters' },
    { field: 'rating', message: 'must be a whole number from 1 to 5' },
  ];
  const noSpace = [{ field: 'space_id', message: 'is no space of the account' }];
  expect(body).toEqual({
    data: [
      { result: 'created', id, external_id: 'new' },
      { result: 'invalid', external_id: 'bad', errors: badFields },
      { result: 'skipped', id, external_id: 'there' },
      { result: 'created', id },
      { result: 'invalid', errors: [{ message: 'must be an object' }] },
      { result: 'invalid', external_id: 'lost', errors: noSpace },
    ],
    created: 2,
    updated: 0,
    skipped: 1,
    invalid: 3,
  });
  const ids = (await stored()).map((row: { id: string }) => row.id);
  expect(ids.sort()).toEqual(body.data.flatMap((result: Result) => result.id ?? []).sort());
});

test.each([
  ['nothing', {}],
  ['no items', { testimonials: [] }],
  ['1,001 items', { testimonials: Array(1001).fill({}) }],
  ['an object for the list', { testimonials: {} }],
  ['an unknown on_duplicate', { testimonials: [{}], on_duplicate: 'merge' }],
  ['a text for events', { testimonials: [{}], events: 'false' }],
])('of %s is refused as a whole', async (_, json) => {
  const answer = await attempt(json);
  expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
});

test('is three statements at most for a thousand items, of which the key’s lookup is one', async () => {
  const json = { testimonials: many(1000) };
  expect(await statementsOf(tenant.api.key, ['POST', '/imports', json])).toHaveLength(2);
  const again = { ...json, on_duplicate: 'update', events: false };
  expect(await statementsOf(tenant.api.key, ['POST', '/imports', again])).toHaveLength(2);
});

describe('an invalid item', () => {
  test('is told each field once and no value, however much is wrong', async () => {
    const secret = 'S3cret';
    const bad = Object.fromEntries(
      Object.keys(item(space, 'x', { created_at: 1, rating: 1, status: 1, text_content: 1 })).map(
        (name) => [name, { [secret]: secret }],
      ),
    );
    const { text, body } = await attempt({ testimonials: [bad, { ...bad, video_url: secret }] });
    expect(text).not.toContain(secret);
    for (const { result, errors } of body.data) {
      expect(result).toBe('invalid');
      const fields = errors.map(({ field }: { field: string }) => field);
      expect(new Set(fields).size).toBe(fields.length);
      expect(fields).toContain('created_at');
    }
  });

  test('is told ten fields that are wrong, and no more', async () => {
    const fields = Object.keys(importedTestimonial.shape);
    expect(fields.length).toBeGreaterThan(10);
    const { data } = await importInto(tenant, [Object.fromEntries(fields.map((one) => [one, {}]))]);
    expect(data[0].errors).toHaveLength(10);
  });

  test('is one with an e-mail address of megabytes, and no other', async () => {
    const tenant = await createTenant();
    const { id } = await tenant.space();
    const long = item(id, 'a', { submitter_email: `a@${'a.'.repeat(3.5 * 1024 ** 2)}co` });
    const { data, created } = await importInto(tenant, [long, item(id, 'b')]);
    const message = 'must be an e-mail address of at most 320 characters';
    expect(data[0].errors).toEqual([{ field: 'submitter_email', message }]);
    expect(created).toBe(1);
  });

  test('is told of characters that cannot be kept, and not that its text is too long', async () => {
    const { data } = await importInto(tenant, [
      item(space, 'a', { text_content: 'Great \ud83d' }),
      item(space, 'a\0b'),
    ]);
    const message = 'must be without NUL and without half of an emoji (a lone surrogate)';
    expect(data).toEqual([
      { result: 'invalid', external_id: 'a', errors: [{ field: 'text_content', message }] },
      { result: 'invalid', errors: [{ field: 'external_id', message }] },
    ]);
  });

  test('is told what is missing', async () => {
    const { data } = await importInto(tenant, [{}]);
    const fields = ['space_id', 'type', 'submitter_name', 'submitter_email'];
    expect(data[0].errors).toEqual(fields.map((field) => ({ field, message: 'is required' })));
  });

  test.each([5, 'text', [], [[]], true])('may be %j', async (bad) => {
    const body = await importInto(tenant, [bad, item(space)]);
    expect(results(body)).toEqual(['invalid', 'created']);
  });

  test('is one with unknown fields where the request is strict, and no other', async () => {
    const long = 'x'.repeat(5000);
    const json = { testimonials: [item(space, 'a', { staus: 1, [long]: 1 }), item(space, 'b')] };
    expect(results((await attempt(json)).body)).toEqual(['created', 'created']);
    const strict = await attempt(json, { prefer: 'handling=strict' });
    expect(results(strict.body)).toEqual(['invalid', 'skipped']);
    expect(strict.body.data[0].errors).toEqual([
      { field: 'staus', message: 'is no field of a testimonial' },
      { field: 'x'.repeat(100), message: 'is no field of a testimonial' },
    ]);
  });

  test('is one in a space of another account, as in one that does not exist', async () => {
    const other = await createTenant();
    const foreign = (await other.space()).id;
    const { data } = await importInto(tenant, [item(foreign), item(randomUUID())]);
    expect(data[0]).toEqual(data[1]);
    expect((await other.api.get('/testimonials')).body.data).toEqual([]);
  });
});

test('a transcript may have no character, and as many as a text, and not one more', async () => {
  const video = (id: string, length: number) =>
    item(space, id, {
      type: 'video',
      video_url: 'https://media.northwind.example/ada.mp4',
      ai_transcript: 'x'.repeat(length),
    });
  const body = await importInto(tenant, [video('a', 0), video('b', 50_000), video('c', 50_001)]);
  expect(results(body)).toEqual(['created', 'created', 'invalid']);
});

describe('created_at', () => {
  test.each([
    ['2019-05-04T08:15:00Z', '2019-05-04T08:15:00.000000+00:00'],
    ['2019-05-04T08:15:00.1234569Z', '2019-05-04T08:15:00.123456+00:00'],
    ['2019-05-04T08:15:00+05:30', '2019-05-04T02:45:00.000000+00:00'],
    ['2019-01-01T00:00:00.5+23:59', '2018-12-31T00:01:00.500000+00:00'],
    ['2019-05-04T08:15:00.123456+00:00', '2019-05-04T08:15:00.123456+00:00'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000000+00:00'],
    // 64 characters; one more is refused.
    [`2019-05-04T08:15:00.${'1'.repeat(43)}Z`, '2019-05-04T08:15:00.111111+00:00'],
  ])('%s is kept as %s', async (created_at, kept) => {
    const { data } = await importInto(tenant, [item(space, 'a', { created_at })]);
    const answer = await tenant.api.get(`/testimonials/${data[0].id}`);
    expect(answer.body.data.created_at).toBe(kept);
  });

  test.each([
    '0000-12-31T23:59:59Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '9999-12-31T23:59:59Z',
    '2019-02-29T00:00:00Z',
    '2019-05-04',
    '2019-05-04T08:15:00',
    '2019-05-04 08:15:00Z',
    '-2019-05-04T08:15:00Z',
    `2019-05-04T08:15:00.${'1'.repeat(44)}Z`,
    'infinity',
    1556957700,
  ])('%s is refused', async (created_at) => {
    const { data } = await importInto(tenant, [item(space, 'a', { created_at })]);
    expect(data[0]).toMatchObject({ result: 'invalid', errors: [{ field: 'created_at' }] });
    expect(await stored()).toEqual([]);
  });

  test('may be ahead of the database’s clock as far as clocks differ, and no further', async () => {
    const [row] = await database().$queryRaw<{ now: Date }[]>`SELECT statement_timestamp() AS now`;
    const inMinutes = (minutes: number) =>
      new Date(Number(row?.now) + minutes * 60_000).toISOString();
    const { data } = await importInto(tenant, [
      item(space, 'a', { created_at: inMinutes(4) }),
      item(space, 'b', { created_at: inMinutes(10) }),
    ]);
    expect(results({ data })).toEqual(['created', 'invalid']);
    expect(data[1].errors).toEqual([{ field: 'created_at', message: 'lies in the future' }]);
  });

  test('is in the event’s data, while the event and updated_at are of now', async () => {
    const created_at = '2019-05-04T08:15:00Z';
    await importInto(tenant, [item(space, 'a', { created_at })]);
    const [event] = await tenant.events();
    const [row] = await stored();
    expect(event?.data).toEqual(row);
    expect(row.created_at).toBe('2019-05-04T08:15:00.000000+00:00');
    for (const at of [Number(event?.createdAt), Date.parse(row.updated_at)]) {
      expect(at).toBeGreaterThan(Date.parse('2026-01-01'));
    }
  });
});

test('without events there is none, no delivery, and no gap before the next', async () => {
  const body = await importInto(tenant, many(3), { events: false });
  const changes = many(3, { rating: 1 });
  const updated = await importInto(tenant, changes, { on_duplicate: 'update', events: false });
  expect([body.created, updated.updated]).toEqual([3, 3]);
  expect(await tenant.events()).toEqual([]);
  await importInto(tenant, many(3, { rating: 2 }), { on_duplicate: 'update' });
  expect((await tenant.events()).map(({ sequence }) => sequence)).toEqual([1, 1, 1]);
});

test('over the quota nothing is stored, also where the import alone would exceed it', async () => {
  const { storedBytes } = await database().user.findUniqueOrThrow({
    where: { id: tenant.accountId },
  });
  for (const room of [0, 50_000]) {
    provideEnv({ ACCOUNT_QUOTA_BYTES: String(Number(storedBytes) + room) });
    const answer = await attempt({ testimonials: many(2, { text_content: 'x'.repeat(40_000) }) });
    expect([answer.status, answer.body.error.code]).toEqual([413, 'QUOTA_EXCEEDED']);
  }
  provideEnv({ ACCOUNT_QUOTA_BYTES: '' });
  expect(await stored()).toEqual([]);
});

describe('the body', () => {
  const padded = (bytes: number) => {
    const json = JSON.stringify({ testimonials: [item(space, 'big')], padding: '' });
    return json.replace('"padding":""', `"padding":"${'x'.repeat(bytes - json.length)}"`);
  };
  const status = async (path: string, bytes: number) =>
    (await send('POST', path, { key: tenant.api.key, raw: padded(bytes) })).status;

  test('may have 8 MiB, and not a byte more', async () => {
    expect(await status('/imports', maxImportBytes)).toBe(200);
    expect(await status('/imports/', maxImportBytes + 1)).toBe(413);
  });

  test('has the common bound on every other path, and where the path is written otherwise', async () => {
    for (const path of ['/spaces', '/%69mports']) {
      expect(await status(path, maxBodyBytes + 1)).toBe(413);
    }
    expect(await status('/%69mports', maxBodyBytes)).toBe(200);
  });
});

test('with a key, the answer to a thousand items is kept and sent again, byte for byte', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const wide = '😀'.repeat(190);
  const json = {
    testimonials: Array.from({ length: 1000 }, (_, index) =>
      item(space, `${wide}${index}`, index % 2 ? { rating: 9, type: 'x', status: 'x' } : {}),
    ),
  };
  const first = await attempt(json, headers);
  expect(first.body).toMatchObject({ created: 500, invalid: 500 });
  const again = await attempt(json, headers);
  expect([again.text === first.text, again.headers.get('idempotency-replayed')]).toEqual([
    true,
    'true',
  ]);
});

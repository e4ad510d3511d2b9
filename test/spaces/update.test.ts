import { createTenant, type Tenant } from '../helpers/accounts';
import { byCodeUnit, expectError } from '../helpers/expectations';
import {
  acceptedUuids,
  emoji,
  notStorable,
  notStrings,
  refusedColors,
  refusedQuestions,
  refusedUris,
  refusedUuids,
} from '../helpers/values';

let tenant: Tenant;
let id: string;

const full = {
  name: 'Before',
  description: 'Before',
  logo_url: 'https://example.com/before.png',
  primary_color: '#000000',
  custom_questions: ['Before?'],
};

beforeAll(async () => {
  tenant = await createTenant();
  ({ id } = await tenant.space(full));
});

const update = (fields: unknown, of = id) => tenant.api.patch(`/spaces/${of}`, fields);

async function read(of = id) {
  return (await tenant.api.get(`/spaces/${of}`)).body.data;
}

/** Refused, and nothing of it is stored. */
async function expectRefused(fields: unknown): Promise<void> {
  const before = await read();
  expectError(await update(fields), 400, 'VALIDATION_ERROR');
  expect(await read()).toEqual(before);
}

describe('what is sent', () => {
  test.each<[string, unknown]>([
    ['name', 'N'],
    ['name', emoji.repeat(100)],
    ['description', ''],
    ['description', 'd'.repeat(500)],
    ['logo_url', 'https://example.com/after.png'],
    ['primary_color', '#aBcDeF'],
    ['custom_questions', []],
    ['custom_questions', ['After?', 'And?']],
  ])('alone changes alone: %s', async (field, value) => {
    const before = await tenant.space(full);
    const answer = await update({ [field]: value }, before.id);
    expect([answer.status, answer.body]).toEqual([
      200,
      { data: { ...before, [field]: value, updated_at: expect.any(String) } },
    ]);
    expect(await read(before.id)).toEqual(answer.body.data);
  });

  test('together changes together', async () => {
    const before = await read();
    const fields = {
      name: 'After',
      description: 'After',
      logo_url: 'https://example.com/after.png',
      primary_color: '#FFFFFF',
      custom_questions: ['After?'],
    };
    const { body } = await update(fields);
    expect(body.data).toEqual({ ...before, ...fields, updated_at: body.data.updated_at });
  });

  test('may hold fields that cannot change and unknown ones beside: they are ignored', async () => {
    const before = await read();
    const { status, body } = await update({
      description: 'New',
      id: acceptedUuids[3][1],
      user_id: acceptedUuids[4][1],
      slug: 'my-own-slug',
      created_at: '2001-01-01T00:00:00Z',
      updated_at: '2001-01-01T00:00:00Z',
      nonsense: null,
    });
    expect(status).toBe(200);
    expect(body.data).toEqual({
      ...before,
      description: 'New',
      updated_at: body.data.updated_at,
    });
  });
});

test('every write moves updated_at, also where it changes nothing; none moves created_at', async () => {
  const created = await tenant.space();
  const rows = [created];
  for (const name of ['A', 'A', 'B']) rows.push((await update({ name }, created.id)).body.data);
  const moments = rows.map((row) => row.updated_at);
  expect(moments).toEqual([...new Set(moments)].sort(byCodeUnit));
  expect(rows.map((row) => row.created_at)).toEqual(rows.map(() => created.created_at));
});

test('a testimonial in it is no write of the space', async () => {
  const before = await read();
  await tenant.testimonial(id);
  expect(await read()).toEqual(before);
});

describe('refused, changing nothing', () => {
  test.each<[string, unknown]>([
    ['an empty object', {}],
    ['nothing but unknown fields', { nonsense: 1 }],
    ['nothing but fields that cannot change', { id: acceptedUuids[3][1], slug: 'mine' }],
    ['an array', []],
    ['null', null],
    ['a valid field beside an invalid one', { name: 'New', primary_color: 'red' }],
    ['an empty name', { name: '' }],
    ['a name of 101 characters', { name: 'n'.repeat(101) }],
    ['a name of 101 emoji', { name: emoji.repeat(101) }],
    ['a description of 501 characters', { description: 'd'.repeat(501) }],
  ])('%s', async (_name, body) => {
    await expectRefused(body);
  });

  test.each<[string, unknown[]]>([
    ['name', [...notStrings, ...notStorable]],
    ['description', [...notStrings, ...notStorable]],
    ['logo_url', [...notStrings, ...notStorable, ...refusedUris]],
    ['primary_color', [...notStrings, ...refusedColors]],
    ['custom_questions', refusedQuestions],
  ])('%s of another type, null included, or form', async (field, values) => {
    for (const value of values) await expectRefused({ [field]: value });
  });
});

test.each(acceptedUuids)('an id that does not exist is 404: %s', async (_name, unknown) => {
  expectError(await update({ name: 'New' }, unknown), 404, 'SPACE_NOT_FOUND');
});

test.each(refusedUuids)('an id that is no UUID is 400: %s', async (_name, invalid) => {
  expectError(await update({ name: 'New' }, encodeURIComponent(invalid)), 400, 'VALIDATION_ERROR');
});

test('an id that does not exist with an invalid body is 400', async () => {
  expectError(await update({ name: '' }, acceptedUuids[3][1]), 400, 'VALIDATION_ERROR');
});

test('another account is answered exactly as for a missing space, which stays as it is', async () => {
  const other = await createTenant();
  const space = await other.space();
  const foreign = await update({ name: 'Mine' }, space.id);
  const missing = await update({ name: 'Mine' }, acceptedUuids[3][1]);
  expectError(foreign, 404, 'SPACE_NOT_FOUND');
  expect(foreign.text).toBe(missing.text);
  expect((await other.api.get(`/spaces/${space.id}`)).body.data).toEqual(space);
});

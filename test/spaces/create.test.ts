import { database } from '@/src/database/client';
import { createTenant, type Tenant } from '../helpers/accounts';
import { expectError, wireInstantPattern } from '../helpers/expectations';
import {
  acceptedUris,
  acceptedUuids,
  emoji,
  notStorable,
  notStrings,
  refusedColors,
  refusedQuestions,
  refusedUris,
} from '../helpers/values';

let tenant: Tenant;

beforeAll(async () => {
  tenant = await createTenant();
});

const create = (fields: object) => tenant.api.post('/spaces', { name: 'A space', ...fields });

async function expectStored(fields: object): Promise<void> {
  const answer = await create(fields);
  expect([answer.status, answer.body.data]).toEqual([201, expect.objectContaining(fields)]);
  const read = await tenant.api.get(`/spaces/${answer.body.data.id}`);
  expect(read.body).toEqual(answer.body);
}

async function expectRefused(fields: object): Promise<void> {
  expectError(await create(fields), 400, 'VALIDATION_ERROR');
}

describe('the answer', () => {
  test('is the whole row, with the fields as they were sent', async () => {
    const fields = {
      name: '  Northwind “Support” 😀 ',
      description: 'What customers say,\nline by line.',
      logo_url: 'https://example.com/logo.png',
      primary_color: '#1a73E8',
      custom_questions: ['What changed?', ' ', 'What changed?'],
    };
    const answer = await tenant.api.post('/spaces', fields);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      data: {
        ...fields,
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/),
        user_id: tenant.accountId,
        slug: expect.stringMatching(/^northwind-support/),
        created_at: expect.stringMatching(wireInstantPattern),
        updated_at: expect.stringMatching(wireInstantPattern),
      },
    });
  });

  test('has null for every field that was omitted', async () => {
    const { body } = await tenant.api.post('/spaces', { name: 'Bare' });
    expect(body.data).toMatchObject({
      name: 'Bare',
      description: null,
      logo_url: null,
      primary_color: null,
      custom_questions: null,
    });
  });

  test('is what is stored', async () => {
    const { body } = await create({ custom_questions: ['One?'], description: 'Stored' });
    const row = await database().space.findUniqueOrThrow({ where: { id: body.data.id } });
    const { created_at, updated_at, event_sequence: _, ...stored } = row;
    expect(body.data).toMatchObject(stored);
    expect(body.data.created_at.slice(0, 23)).toBe(created_at.toISOString().slice(0, 23));
    expect(body.data.updated_at.slice(0, 23)).toBe(updated_at.toISOString().slice(0, 23));
  });

  test('has the time of creation in true microseconds', async () => {
    const moments: string[] = [];
    for (let i = 0; i < 10; i++) moments.push((await tenant.space()).created_at);
    expect(moments.some((moment) => !moment.endsWith('000+00:00'))).toBe(true);
    expect(new Set(moments).size).toBe(10);
  });
});

describe('accepted', () => {
  test.each([
    ['a name of 1 character', { name: 'A' }],
    ['a name of a blank', { name: ' ' }],
    ['a name of 100 characters', { name: 'n'.repeat(100) }],
    ['a name of 100 emoji', { name: emoji.repeat(100) }],
    ['an empty description', { description: '' }],
    ['a description of 500 characters', { description: 'd'.repeat(500) }],
    ['a description of 500 emoji', { description: emoji.repeat(500) }],
    ['the lowest colour', { primary_color: '#000000' }],
    ['a colour in both cases', { primary_color: '#aBcDeF' }],
    ['no questions', { custom_questions: [] }],
    ['questions of 1 and 500 characters', { custom_questions: ['?', 'q'.repeat(500)] }],
    ['a question of 500 emoji', { custom_questions: [emoji.repeat(500)] }],
    ['100 questions', { custom_questions: Array(100).fill('Why?') }],
    ['a logo_url of 2,048 characters', { logo_url: 'https://example.com/'.padEnd(2048, 'a') }],
  ])('%s', async (_name, fields) => {
    await expectStored(fields);
  });

  test.each(acceptedUris)('the logo_url %s', async (logo_url) => {
    await expectStored({ logo_url });
  });
});

describe('refused', () => {
  test.each([
    ['no name', { name: undefined }],
    ['an empty name', { name: '' }],
    ['a name of 101 characters', { name: 'n'.repeat(101) }],
    ['a name of 101 emoji', { name: emoji.repeat(101) }],
    ['a description of 501 characters', { description: 'd'.repeat(501) }],
    ['a description of 501 emoji', { description: emoji.repeat(501) }],
  ])('%s', async (_name, fields) => {
    await expectRefused(fields);
  });

  test.each(['name', 'description', 'logo_url', 'primary_color'])(
    '%s of another type, null included, or with characters that cannot be stored',
    async (field) => {
      for (const value of [...notStrings, ...notStorable]) await expectRefused({ [field]: value });
    },
  );

  test.each(refusedUris)('the logo_url "%s"', async (logo_url) => {
    await expectRefused({ logo_url });
  });

  test.each(refusedColors)('the primary_color "%s"', async (primary_color) => {
    await expectRefused({ primary_color });
  });

  test.each(refusedQuestions)('custom_questions of %j', async (custom_questions) => {
    await expectRefused({ custom_questions });
  });

  test('stores nothing', async () => {
    const own = await createTenant();
    await own.api.post('/spaces', { name: '' });
    expect(await database().space.count({ where: { user_id: own.accountId } })).toBe(0);
  });
});

test('id, owner, slug, times and unknown fields in the body are ignored', async () => {
  const sent = {
    id: acceptedUuids[3][1],
    user_id: acceptedUuids[4][1],
    slug: 'my-own-slug',
    created_at: '2001-01-01T00:00:00.000000+00:00',
    updated_at: '2001-01-01T00:00:00.000000+00:00',
  };
  const { status, body } = await create({ ...sent, nonsense: null });
  expect([status, body.data.user_id]).toEqual([201, tenant.accountId]);
  expect(body.data).not.toHaveProperty('nonsense');
  for (const [field, value] of Object.entries(sent)) expect(body.data[field]).not.toBe(value);
});

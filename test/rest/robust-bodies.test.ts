import { randomUUID } from 'node:crypto';
import { minimalTestimonial } from '../helpers/accounts';
import { allOperations } from './contract';
import { code, describedRequests } from './described';

const { attempt, create, account } = describedRequests();

const createRaw = (raw: BodyInit, headers?: Record<string, string>) =>
  attempt('POST', '/spaces', { raw, headers });

describe('text that cannot be stored', () => {
  test.each([
    ['NUL', 'a\0b'],
    ['a lone high surrogate', 'a\ud800'],
    ['a lone low surrogate', '\udc00a'],
    ['a reversed pair', '\udc00\ud800'],
  ])('%s in a body is refused, in every field', async (_name, text) => {
    const url = `https://example.com/${text}`;
    for (const fields of [
      { submitter_name: text },
      { submitter_email: `a${text}@example.com` },
      { submitter_company: text },
      { submitter_role: text },
      { text_content: text },
      { submitter_avatar_url: url },
      { video_url: url },
      { video_thumbnail_url: url },
      { type: text },
      { space_id: text },
    ]) {
      expect(code(await create(fields))).toBe('VALIDATION_ERROR');
    }
    for (const fields of [
      { name: text },
      { name: 'A', description: text },
      { name: 'A', logo_url: url },
      { name: 'A', primary_color: text },
      { name: 'A', custom_questions: [text] },
    ]) {
      expect(code(await attempt('POST', '/spaces', { json: fields }))).toBe('VALIDATION_ERROR');
    }
  });

  test('every other character is stored as it came', async () => {
    const text = 'Ωmega 😀 \u202e \ufeff \u0001 \u2028 \\ " \' é e\u0301 \uffff';
    const created = await create({ submitter_name: text, text_content: text });
    expect(created.body.data).toMatchObject({ submitter_name: text, text_content: text });
    const read = await attempt('GET', `/testimonials/${created.body.data.id}`);
    expect(read.body.data).toEqual(created.body.data);
  });
});

describe('names of Object’s own', () => {
  test.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    '%s as a body field is ignored and sets nothing',
    async (name) => {
      const smuggled = `{"name":"Plain","${name}":{"description":"smuggled","user_id":"x"}}`;
      const answer = await createRaw(smuggled);
      expect(answer.status).toBe(201);
      expect(answer.body.data).toMatchObject({ name: 'Plain', description: null });
      const only = await attempt('PATCH', `/spaces/${answer.body.data.id}`, {
        raw: `{"${name}":{"name":"smuggled"}}`,
      });
      expect(code(only)).toBe('VALIDATION_ERROR');
      expect(Object.prototype).not.toHaveProperty('description');
    },
  );
});

describe('the bytes of a body', () => {
  test('that are not UTF-8 are no JSON', async () => {
    for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xf5, 0x80]]) {
      const raw = Buffer.concat([Buffer.from('{"name":"'), Buffer.from(bytes), Buffer.from('"}')]);
      expect(code(await createRaw(raw))).toBe('INTERNAL_ERROR');
    }
    expect(code(await createRaw(Buffer.from('{"name":"A"}', 'utf16le')))).toBe('INTERNAL_ERROR');
  });

  test('may begin with a byte order mark', async () => {
    expect((await createRaw(Buffer.from('\ufeff{"name":"Marked"}'))).status).toBe(201);
  });

  test('may come under any content type, or none', async () => {
    for (const type of [
      'text/plain',
      'application/xml',
      'application/json; charset=latin1',
      'x',
      '',
    ]) {
      const answer = await createRaw('{"name":"Typed"}', { 'content-type': type });
      expect([type, answer.status]).toEqual([type, 201]);
    }
    expect((await createRaw(Buffer.from('{"name":"Untyped"}'))).status).toBe(201);
  });

  test('may nest deep, where nobody looks or where something else belongs', async () => {
    const deep = `${'['.repeat(90_000)}${']'.repeat(90_000)}`;
    expect((await createRaw(`{"name":"Deep","ignored":${deep}}`)).status).toBe(201);
    expect(code(await createRaw(`{"name":${deep}}`))).toBe('VALIDATION_ERROR');
    expect(code(await createRaw(`{"name":"A","custom_questions":${deep}}`))).toBe(
      'VALIDATION_ERROR',
    );
    const objects = `${'{"a":'.repeat(90_000)}1${'}'.repeat(90_000)}`;
    expect(code(await createRaw(objects))).toBe('VALIDATION_ERROR');
  });

  test('may name a field twice: the last counts, as JSON parsers have it', async () => {
    expect((await createRaw('{"name":"","name":"Second"}')).body.data.name).toBe('Second');
  });

  test('may hold 20,000 unknown fields', async () => {
    const fields = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`field${n}`, n]));
    expect((await createRaw(JSON.stringify({ ...fields, name: 'Many' }))).status).toBe(201);
  });
});

describe('what nests deeper than calls can, in a known field', () => {
  const deep = [
    `${'['.repeat(45_000)}${']'.repeat(45_000)}`,
    `${'{"a":'.repeat(45_000)}1${'}'.repeat(45_000)}`,
  ];
  /** Of an import, the items are what may nest. */
  const withFields = allOperations.filter(
    ({ method, template }) => ['POST', 'PATCH'].includes(method) && template !== '/imports',
  );
  const withKeyAndWithout = (): Record<string, string>[] => [
    {},
    { 'idempotency-key': randomUUID() },
  ];

  test.each(
    withFields.map(
      (operation) => [`${operation.method} ${operation.template}`, operation] as const,
    ),
  )('%s refuses, with a key and without', async (_, operation) => {
    const { path, json } = await operation.prepare(account().tenant);
    for (const name of Object.keys(Object(json))) {
      for (const value of deep) {
        const known = JSON.stringify({ ...Object(json), [name]: 'deep' });
        const raw = known.replace('"deep"', value);
        for (const headers of withKeyAndWithout()) {
          const answer = await attempt(operation.method, path, { raw, headers });
          expect([name, code(answer)]).toEqual([name, 'VALIDATION_ERROR']);
        }
      }
    }
  });

  test.each(deep)('an import ignores within an item, and refuses as one', async (value) => {
    const item = JSON.stringify({ ...minimalTestimonial(account().spaceId), unknown: 'deep' });
    const raw = `{"testimonials":[${item.replace('"deep"', value)},${value}]}`;
    for (const headers of withKeyAndWithout()) {
      const { body } = await attempt('POST', '/imports', { raw, headers });
      expect([body.created, body.invalid]).toEqual([1, 1]);
    }
  });
});

describe('numbers', () => {
  test.each(['1e400', '-1e400', '9007199254740993', '1e19', '-0', '0', '6', '5.5', '5e-1'])(
    '%s is no rating',
    async (number) => {
      const raw = `{"rating":${number}}`;
      const { tenant, spaceId } = account();
      const { id } = await tenant.testimonial(spaceId);
      expect(code(await attempt('PATCH', `/testimonials/${id}`, { raw }))).toBe('VALIDATION_ERROR');
    },
  );

  test.each(['5.0', '5e0', '0.5e1'])('%s is the JSON number 5', async (number) => {
    const { tenant, spaceId } = account();
    const { id } = await tenant.testimonial(spaceId);
    const answer = await attempt('PATCH', `/testimonials/${id}`, { raw: `{"rating":${number}}` });
    expect(answer.body.data.rating).toBe(5);
  });
});

test('no list or create before makes a body’s "5" a rating: numbers of queries do not leak', async () => {
  const values = ['5', true, [3], '', null, '0x5', { valueOf: 5 }];
  const refuseAll = async () => {
    for (const rating of values) expect(code(await create({ rating }))).toBe('VALIDATION_ERROR');
    for (const body of [{ status: true }, { text_content: 5 }, { submitter_role: [] }]) {
      expect(code(await create(body))).toBe('VALIDATION_ERROR');
    }
    const { tenant, spaceId } = account();
    const { id } = await tenant.testimonial(spaceId);
    const path = `/testimonials/${id}`;
    for (const rating of values) {
      expect(code(await attempt('PATCH', path, { json: { rating } }))).toBe('VALIDATION_ERROR');
    }
    const batch = { testimonial_ids: id, status: 'approved' };
    const answer = await attempt('POST', '/testimonials/batch/update', { json: batch });
    expect(code(answer)).toBe('VALIDATION_ERROR');
  };
  await refuseAll();
  expect((await attempt('GET', '/testimonials?rating=5&limit=1&offset=0')).status).toBe(200);
  expect((await attempt('GET', '/spaces?limit=1&offset=0')).status).toBe(200);
  expect((await create({ rating: 5 })).status).toBe(201);
  await refuseAll();
});

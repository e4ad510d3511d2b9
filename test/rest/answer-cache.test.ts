import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { provideEnv } from '@/src/env';
import { answerCache } from '@/src/rest/answer-cache';
import { createKey, createTenant } from '../helpers/accounts';
import { send } from '../helpers/client';
import { settled } from '../helpers/next-server';
import { insertTestimonials } from '../helpers/rows';
import { statementsOf } from '../helpers/statements';
import { changingCases } from './contract';
import { createReader, readTemplates } from './reads';

/** A new cache of the process, of this size. */
function withCacheOf(bytes: number): void {
  provideEnv({ CACHE_BYTES: String(bytes) });
  Reflect.deleteProperty(globalThis, Symbol.for('testimonials.answer-cache'));
}

beforeEach(() => withCacheOf(1024 ** 2));

afterAll(() => withCacheOf(1024 ** 2));

async function statementCount(key: string, path: string, method = 'GET'): Promise<number> {
  // What earlier requests put off are statements too.
  await settled();
  return (await statementsOf(key, [method, path])).length;
}

describe.each(readTemplates)('GET %s', (template) => {
  test('asked again costs the statement that reads the key, and answers the same bytes', async () => {
    const { key, address, tenant } = await createReader();
    const path = address(template);
    expect(await statementCount(key, path)).toBe(2);
    const statements = await statementsOf(key, ['GET', path]);
    expect(statements).toHaveLength(1);
    expect(statements[0]?.text).toContain('FROM api_keys');
    expect(await statementCount(key, path, 'HEAD')).toBe(1);
    const kept = await tenant.api.get(path);
    withCacheOf(0);
    expect((await tenant.api.get(path)).text).toBe(kept.text);
  });

  test('asked at another address, or for another account, is read anew', async () => {
    const { key, address, tenant } = await createReader();
    const path = address(template);
    await tenant.api.get(path);
    expect(await statementCount(key, `${path}?limit=7`)).toBe(2);
    const other = await createReader();
    expect(await statementCount(other.key, other.address(template))).toBe(2);
    const foreign = await other.tenant.api.get(path);
    if (template.includes('{id}')) expect(foreign.status).toBe(404);
    else expect(foreign.text).not.toContain(tenant.accountId);
  });

  test('with its tag costs the statement that reads the key, even where nothing is kept', async () => {
    const { address, ask, tagOf } = await createReader();
    const path = address(template);
    const tag = await tagOf(path);
    withCacheOf(0);
    await settled();
    const query = jest.spyOn(Client.prototype, 'query');
    expect((await ask(path, tag)).status).toBe(304);
    expect(query).toHaveBeenCalledTimes(1);
  });

  test('is still closed to a key without the scope', async () => {
    const { address, tenant } = await createReader();
    const path = address(template);
    await tenant.api.get(path);
    const noRead = await createKey(tenant.accountId, ['write', 'delete']);
    const refused = await send('GET', path, { key: noRead });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
    const readOnly = await createKey(tenant.accountId, ['read']);
    expect(await statementCount(readOnly, path)).toBe(1);
  });
});

test.each(changingCases)('after %s every read is new', async (_name, operation) => {
  const { tenant, key, addresses } = await createReader();
  const { path, json } = await operation.prepare(tenant);
  const lists = ['/testimonials?limit=1', '/testimonials?search=e', '/spaces?limit=100'];
  const reads = [...addresses, ...lists];
  const texts = async () => {
    const answers = await Promise.all(reads.map((read) => tenant.api.get(read)));
    return answers.map(({ text }) => text);
  };
  const before = await texts();
  await send(operation.method, path, json === undefined ? { key } : { key, json });
  const after = await texts();
  expect(after).not.toEqual(before);
  withCacheOf(0);
  expect(await texts()).toEqual(after);
});

test('no error is kept', async () => {
  const { tenant, key } = await createReader();
  const kept = answerCache()?.size;
  for (const path of [`/spaces/${randomUUID()}`, '/spaces?limit=0', '/nowhere', '/spaces/none']) {
    const first = await tenant.api.get(path);
    expect(first.status).toBeGreaterThanOrEqual(400);
    const second = await tenant.api.get(path);
    expect([second.status, second.text]).toEqual([first.status, first.text]);
  }
  await send('PUT', '/spaces', { key });
  await send('GET', '/spaces');
  expect(answerCache()?.size).toBe(kept);
});

describe('CACHE_BYTES', () => {
  test('of 0 keeps nothing', async () => {
    const { key, tagOf } = await createReader();
    withCacheOf(0);
    expect(answerCache()).toBeUndefined();
    expect(await statementCount(key, '/spaces')).toBe(2);
    expect(await statementCount(key, '/spaces')).toBe(2);
    expect(await tagOf('/spaces')).toBe(await tagOf('/spaces'));
  });

  test('bounds what is kept, the bodies and what belongs to them, and what was used last stays', async () => {
    const { key, tenant } = await createReader();
    const bound = 40_000;
    withCacheOf(bound);
    for (let index = 0; index < 80; index += 1) {
      await tenant.api.get(`/testimonials?offset=${index % 3}&n=${index}`);
      await tenant.api.get('/spaces');
      const bodies = [...(answerCache()?.values() ?? [])];
      const bytes = bodies.reduce((sum, { byteLength }) => sum + byteLength + 44, 0);
      expect(bytes).toBeLessThanOrEqual(bound);
      expect(answerCache()?.calculatedSize).toBeLessThanOrEqual(bound);
    }
    expect(answerCache()?.size).toBeGreaterThan(20);
    expect(await statementCount(key, '/spaces')).toBe(1);
    expect(await statementCount(key, '/testimonials?offset=0&n=0')).toBe(2);
  });

  test('keeps nothing that takes more than an eighth of it, so that one answer pushes no others out', async () => {
    const { key, tenant, space } = await createReader();
    await insertTestimonials(space, [{ text_content: 'x'.repeat(6_000) }]);
    withCacheOf(40_000);
    expect(await statementCount(key, '/spaces')).toBe(2);
    await tenant.api.get('/testimonials');
    expect(await statementCount(key, '/testimonials')).toBe(2);
    expect(await statementCount(key, '/spaces')).toBe(1);
  });

  test.each([1, 1000, 20_000])('of %i serves an answer right that is larger', async (bound) => {
    const { api, ...tenant } = await createTenant();
    const space = await tenant.space();
    const text_content = 'A long text. '.repeat(40);
    await insertTestimonials(space, Array(60).fill({ text_content }));
    withCacheOf(bound);
    const path = '/testimonials?limit=60';
    const answers = [await api.get(path), await api.get(path)];
    for (const { status, text, body } of answers) {
      expect([status, body.data.length, text.length > 20_000]).toEqual([200, 60, true]);
    }
    expect(answers[1]?.text).toBe(answers[0]?.text);
    expect(await statementCount(api.key, path)).toBe(2);
    expect(answerCache()?.calculatedSize).toBeLessThanOrEqual(bound);
  });
});

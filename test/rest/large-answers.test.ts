import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { Client } from 'pg';
import { sessionPrincipal } from '@/src/accounts/auth/session';
import { createCallerFactory } from '@/src/api/trpc';
import { dashboardContext } from '@/src/dashboard';
import { largeReadCharacters } from '@/src/database/connections/large-reads';
import { createLargeOutputs } from '@/src/rest/large-outputs';
import { writeInSlices } from '@/src/rest/slices';
import { appRouter } from '@/src/router';
import { createTenant } from '../helpers/accounts';
import { send } from '../helpers/client';
import { insertLargeRows, tenantWithLargeRows, worstRowCharacters } from '../helpers/large-rows';
import { insertAlike } from '../helpers/rows';
import { callTrpc, signUp } from '../helpers/session';

/** The longest text that one call of JSON.stringify has made while the task ran. */
async function longestPiece(task: () => Promise<unknown>): Promise<number> {
  const original = JSON.stringify;
  let longest = 0;
  const spy = jest.spyOn(JSON, 'stringify').mockImplementation((...parameters) => {
    const text: string | undefined = Reflect.apply(original, JSON, parameters);
    longest = Math.max(longest, text?.length ?? 0);
    return text ?? '';
  });
  try {
    await task();
    return longest;
  } finally {
    spy.mockRestore();
  }
}

/** Holds back the statements that match, one after the other as they come, until they are let go. */
function holdStatements(isHeld: (text: string, values: unknown[]) => boolean) {
  const original = Client.prototype.query;
  const waiting: (() => void)[] = [];
  let begun = 0;
  jest.spyOn(Client.prototype, 'query').mockImplementation(function (
    this: Client,
    ...parameters: unknown[]
  ) {
    const [config] = parameters;
    const { text = '', values = [] }: { text?: string; values?: unknown[] } = Object(config);
    const run = () => Reflect.apply(original, this, parameters);
    if (!isHeld(text, values)) return run();
    begun += 1;
    waiting.push(run);
  });
  return { begun: () => begun, next: () => waiting.shift()?.() };
}

test('a list of rows at their bounds is written row by row, and its bytes are those of JSON', async () => {
  const { tenant } = await tenantWithLargeRows();
  let text = '';
  const longest = await longestPiece(async () => {
    const answer = await tenant.api.get('/testimonials');
    expect(answer.status).toBe(200);
    text = answer.text;
  });
  expect(longest).toBeLessThan(worstRowCharacters + 2_000);
  expect(text.length).toBeGreaterThan(12 * worstRowCharacters);
  expect(JSON.stringify(JSON.parse(text))).toBe(text);
});

test('its entity tag, 304 and HEAD are as those of every other', async () => {
  const { tenant } = await tenantWithLargeRows(6);
  const { headers } = await tenant.api.get('/testimonials');
  const etag = headers.get('etag') ?? '';
  expect(etag).not.toBe('');
  const again = await send('GET', '/testimonials', {
    key: tenant.api.key,
    headers: { 'if-none-match': etag },
  });
  expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
  const head = await send('HEAD', '/testimonials', { key: tenant.api.key });
  expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', etag]);
});

test.each([
  ['a search', '/testimonials?search=%01&limit=100'],
  ['a list sorted by the last change', '/testimonials?sort_by=updated_at'],
  ['a page by cursor', '/testimonials?cursor=start&limit=11'],
])('so is %s', async (_, path) => {
  const { tenant } = await tenantWithLargeRows();
  let answer = await tenant.api.get('/me');
  const longest = await longestPiece(async () => {
    answer = await tenant.api.get(path);
  });
  expect(answer.status).toBe(200);
  expect(answer.body.pagination.total).toBe(12);
  expect(longest).toBeLessThan(worstRowCharacters + 2_000);
});

test('so is a batch, and with an Idempotency-Key it is answered the same bytes again', async () => {
  const { tenant, ids } = await tenantWithLargeRows(7);
  const json = { testimonial_ids: ids, status: 'approved' };
  const options = { key: tenant.api.key, json, headers: { 'idempotency-key': randomUUID() } };
  let text = '';
  const longest = await longestPiece(async () => {
    const answer = await send('POST', '/testimonials/batch/update', options);
    expect([answer.status, answer.body.updated]).toEqual([200, 7]);
    expect(answer.body.data.map(({ id }: { id: string }) => id)).toEqual(ids);
    text = answer.text;
  });
  expect(longest).toBeLessThan(worstRowCharacters + 2_000);
  const again = await send('POST', '/testimonials/batch/update', options);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(again.text === text).toBe(true);
  expect(await tenant.events()).toHaveLength(7);
});

test('so are lists of spaces and of events', async () => {
  const tenant = await createTenant();
  const custom_questions = Array.from({ length: 100 }, () => '\u0001'.repeat(500));
  for (let at = 0; at < 12; at++) await tenant.space({ custom_questions });
  for (const path of ['/spaces', '/events']) {
    const longest = await longestPiece(async () => {
      const { status, body } = await tenant.api.get(path);
      expect([status, body.data.length]).toEqual([200, 12]);
    });
    expect(longest).toBeLessThan(worstRowCharacters + 2_000);
  }
});

test('an account has one large list read at a time; its others and other accounts do not wait', async () => {
  const { tenant } = await tenantWithLargeRows();
  const small = await createTenant();
  const { tenant: other } = await tenantWithLargeRows();
  const isListOf = (accountId: string) => (text: string, values: unknown[]) =>
    text.includes('FROM testimonials t') && values.includes(accountId);
  const statements = holdStatements(isListOf(tenant.accountId));
  const lists = [tenant.api.get('/testimonials'), tenant.api.get('/testimonials?limit=20')];
  // Of each list a first read, which tells how large it is.
  while (statements.begun() < 2) await setImmediate();
  statements.next();
  statements.next();
  while (statements.begun() < 3) await setImmediate();
  expect((await other.api.get('/testimonials')).body.data).toHaveLength(12);
  expect((await small.api.get('/testimonials')).body.data).toHaveLength(0);
  expect((await tenant.api.get('/spaces')).body.data).toHaveLength(1);
  expect(statements.begun()).toBe(3);
  statements.next();
  while (statements.begun() < 4) await setImmediate();
  statements.next();
  for (const { body } of await Promise.all(lists)) expect(body.data).toHaveLength(12);
});

test('an account changes one large batch at a time', async () => {
  const { tenant, ids } = await tenantWithLargeRows();
  const statements = holdStatements((text) => text.includes('UPDATE testimonials t SET'));
  const json = { testimonial_ids: ids, status: 'approved' };
  const batches = [1, 2].map(() => tenant.api.post('/testimonials/batch/update', json));
  while (statements.begun() < 1) await setImmediate();
  expect((await tenant.api.get('/spaces')).status).toBe(200);
  expect(statements.begun()).toBe(1);
  statements.next();
  while (statements.begun() < 2) await setImmediate();
  statements.next();
  for (const { body } of await Promise.all(batches)) expect(body.updated).toBe(12);
});

test('the dashboard waits by the same rule', async () => {
  const { cookie, accountId } = await signUp();
  const { data } = await callTrpc('mutation', 'spaces.create', { name: 'A space' }, { cookie });
  await insertLargeRows({ id: data.data.id, user_id: accountId }, 12);
  const statements = holdStatements(
    (text, values) => text.includes('FROM testimonials t') && values.includes(accountId),
  );
  const lists = [1, 2].map(() => callTrpc('query', 'testimonials.list', {}, { cookie }));
  while (statements.begun() < 2) await setImmediate();
  statements.next();
  statements.next();
  while (statements.begun() < 3) await setImmediate();
  await callTrpc('query', 'spaces.list', {}, { cookie });
  expect(statements.begun()).toBe(3);
  statements.next();
  while (statements.begun() < 4) await setImmediate();
  statements.next();
  for (const { data: page } of await Promise.all(lists)) expect(page.data).toHaveLength(12);
});

test('a request of the dashboard has two large lists at most, and any number of others', async () => {
  const { cookie, accountId } = await signUp();
  const { data } = await callTrpc('mutation', 'spaces.create', { name: 'A space' }, { cookie });
  await insertLargeRows({ id: data.data.id, user_id: accountId }, 12);
  const principal = await sessionPrincipal(new Headers({ cookie }));
  const context = dashboardContext(principal, undefined, createLargeOutputs());
  const caller = createCallerFactory(appRouter)(context);
  const list = () => caller.testimonials.list({}).then(({ data: rows }) => rows.length);
  expect([await list(), await list()]).toEqual([12, 12]);
  await expect(list()).rejects.toMatchObject({ apiCode: 'RATE_LIMIT_EXCEEDED' });
  expect((await caller.spaces.list({})).data).toHaveLength(1);
});

test('a page that is rendered leaves large lists to the browser', async () => {
  const { cookie, accountId } = await signUp();
  const { data } = await callTrpc('mutation', 'spaces.create', { name: 'A space' }, { cookie });
  await insertLargeRows({ id: data.data.id, user_id: accountId }, 12);
  const principal = await sessionPrincipal(new Headers({ cookie }));
  const caller = createCallerFactory(appRouter)(dashboardContext(principal));
  await expect(caller.testimonials.list({})).rejects.toMatchObject({
    apiCode: 'RATE_LIMIT_EXCEEDED',
  });
  expect((await caller.spaces.list({})).data).toHaveLength(1);
});

test('the dashboard gets lists row by row too, alone and among others, in the bytes of JSON', async () => {
  const { cookie, accountId } = await signUp();
  const { data } = await callTrpc('mutation', 'spaces.create', { name: 'A space' }, { cookie });
  await insertLargeRows({ id: data.data.id, user_id: accountId }, 12);
  const lists: string[] = [];
  const longest = await longestPiece(async () => {
    const alone = await callTrpc('query', 'testimonials.list', {}, { cookie });
    expect([alone.status, alone.data.data.length]).toEqual([200, 12]);
    lists.push(alone.text);
    const input = encodeURIComponent(JSON.stringify({ 0: {}, 1: {}, 2: {} }));
    const names = `testimonials.list,spaces.list,testimonials.list?batch=1&input=${input}`;
    const many = await callTrpc('query', names, undefined, { cookie });
    lists.push(many.text);
  });
  expect(longest).toBeLessThan(worstRowCharacters + 2_000);
  for (const text of lists) expect(JSON.stringify(JSON.parse(text)) === text).toBe(true);
  const [alone = '', many = ''] = lists;
  const [first, spaces, last] = JSON.parse(many);
  expect([first, last].map((one) => JSON.stringify(one) === alone)).toEqual([true, true]);
  expect(spaces.result.data.data).toHaveLength(1);
});

test('what is just not large is read once', async () => {
  const tenant = await createTenant();
  const text = 'x'.repeat(largeReadCharacters / 16 - 1_000);
  await insertAlike(await tenant.space(), 16, { text_content: text });
  const query = jest.spyOn(Client.prototype, 'query');
  expect((await tenant.api.get('/testimonials')).body.data).toHaveLength(16);
  const lists = query.mock.calls.filter(([config]) =>
    String(Object(config).text).includes('FROM testimonials t'),
  );
  expect(lists).toHaveLength(1);
});

test.each([
  [{ data: [], pagination: { total: 0 } }],
  [{ data: [{ a: 'é😀\u2028"\\' }, null, undefined, [1, [2]]], updated: 3, left: undefined }],
  [{ data: Array.from({ length: 30 }, () => ({ text: 'x'.repeat(20_000) })) }],
])('slices are the bytes of JSON.stringify', async (answer) => {
  const expected = JSON.stringify(answer);
  expect(Buffer.concat(await writeInSlices(answer)).toString()).toBe(expected);
});

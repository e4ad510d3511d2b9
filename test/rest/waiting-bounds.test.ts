import { setImmediate } from 'node:timers/promises';
import { inHeavyTurn } from '@/src/api/heavy-turns';
import { rerunIfLarge } from '@/src/api/large-answers';
import { noteRequestOf } from '@/src/api/recent-accounts';
import { inWriteTurn } from '@/src/api/write-turns';
import { LargeReadError, largeReadCharacters } from '@/src/database/connections/large-reads';
import { createTenant, minimalTestimonial, type Tenant } from '../helpers/accounts';
import { send } from '../helpers/client';
import { promised } from '../helpers/promised';
import { insertAlike } from '../helpers/rows';
import { callTrpc, signUp } from '../helpers/session';
import { standStill } from '../helpers/stand-still';
import { sendDescribed } from './conformance';

/** Begins as many tasks as may be under way and wait, which end together. */
function fillUp(count: number, begin: (task: () => Promise<void>) => Promise<void>) {
  const held = promised<void>();
  const tasks = Array.from({ length: count }, () => begin(() => held.promise));
  return async () => {
    held.resolve();
    await Promise.all(tasks);
  };
}

function inRoom(accountId: string, task: () => Promise<void>, characters = 1) {
  return rerunIfLarge(accountId, async ({ isLarge }) => {
    if (!isLarge) throw new LargeReadError(characters);
    await task();
  });
}

/** One large answer of the account is read, 150 wait. */
function fillRoom(accountId: string) {
  return fillUp(151, (task) => inRoom(accountId, task));
}

/** Two heavy requests of the account run, 150 wait. */
function fillTurns(accountId: string) {
  return fillUp(152, (task) => inHeavyTurn(accountId, task));
}

async function tenantWithLargeList(): Promise<Tenant> {
  const tenant = await createTenant();
  await addLargeList(await tenant.space());
  return tenant;
}

function addLargeList(space: { id: string; user_id: string }) {
  const text_content = 'x'.repeat(50_000);
  const count = Math.ceil(largeReadCharacters / text_content.length) + 1;
  return insertAlike(space, count, { text_content });
}

// Before any other: a place that is given back may rest for as long as it was taken.
test('of large answers, 16 Mi characters are read at a time, whoever asks for them; others wait', async () => {
  const begun: string[] = [];
  const read = (accountId: string, characters: number) => {
    const held = promised<void>();
    const task = () => {
      begun.push(accountId);
      return held.promise;
    };
    return { end: held.resolve, done: inRoom(accountId, task, characters) };
  };
  const reads = [read('half', 2 ** 23), read('other half', 2 ** 23), read('little', 1)];
  await setImmediate();
  expect(begun).toEqual(['half', 'other half']);
  for (const { end } of reads) end();
  await Promise.all(reads.map(({ done }) => done));
  expect(begun).toEqual(['half', 'other half', 'little']);
});

test.each([
  ['a large list, while large answers wait', 'GET', '/testimonials', fillRoom],
  ['a search, while heavy reads wait', 'GET', '/testimonials?search=x&limit=1', fillTurns],
  ['a filtered list, while heavy reads wait', 'GET', '/testimonials?rating=1', fillTurns],
  ['a batch of deletions, while others wait', 'POST', '/testimonials/batch/delete', fillTurns],
  ['a batch of changes, while others wait', 'POST', '/testimonials/batch/update', fillTurns],
  ['an import, while batches wait', 'POST', '/imports', fillTurns],
])('%s, is refused with 429 and when to try again', async (_, method, path, fill) => {
  const tenant = await tenantWithLargeList();
  const other = await createTenant();
  const free = fill(tenant.accountId);
  // Each operation knows its own of these.
  const json = {
    testimonial_ids: [crypto.randomUUID()],
    status: 'approved',
    testimonials: [minimalTestimonial(crypto.randomUUID())],
  };
  const options = { key: tenant.api.key, ...(method === 'POST' && { json }) };
  const { status, headers, body } = await send(method, path, options);
  expect([status, body.error.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
  expect(body.error.message).toMatch(/under way/);
  expect(body.error.details).toEqual({ limit: 150, reset: expect.stringMatching(/^\d{13}$/) });
  expect(headers.get('retry-after')).toBe('5');
  expect(Number(headers.get('x-ratelimit-remaining'))).toBeGreaterThan(900);
  expect((await tenant.api.get('/testimonials?limit=1')).status).toBe(200);
  expect((await other.api.get('/testimonials?search=x')).status).toBe(200);
  await free();
  expect((await send(method, path, options)).status).toBe(200);
});

test.each([
  ['a large answer', 1, inRoom],
  ['a heavy read', 2, inHeavyTurn],
  ['a write', 4, inWriteTurn],
])(
  '%s waits for those of its account for a minute, and is refused then',
  async (_, most, begin) => {
    const minute = new AbortController();
    const waited = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(minute.signal);
    const free = fillUp(most, (task) => begin('patient', task));
    const task = jest.fn(async () => {});
    const late = begin('patient', task);
    const refused = expect(late).rejects.toMatchObject({ apiCode: 'RATE_LIMIT_EXCEEDED' });
    await setImmediate();
    expect(waited.mock.calls).toEqual(Array(most + 1).fill([60_000]));
    minute.abort();
    await refused;
    await free();
    expect(task).not.toHaveBeenCalled();
  },
);

test('small writes that an account sends all at once are done, as many as the hour lets in', async () => {
  const tenant = await createTenant();
  const { id } = await tenant.space();
  const names = Array.from({ length: 300 }, (_, number) => `Name ${number}`);
  const answers = await Promise.all(
    names.map((name) => tenant.api.patch(`/spaces/${id}`, { name })),
  );
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
});

test('the document says of such an answer, too, that Prefer was heeded', async () => {
  const { accountId, api } = await createTenant();
  const free = fillTurns(accountId);
  const headers = { prefer: 'handling=strict' };
  const { status } = await sendDescribed('GET', '/testimonials?search=x', {
    key: api.key,
    headers,
  });
  expect(status).toBe(429);
  await free();
});

test('a page is told so as well', async () => {
  const { cookie, accountId } = await signUp();
  const { data } = await callTrpc('mutation', 'spaces.create', { name: 'A space' }, { cookie });
  await addLargeList({ id: data.data.id, user_id: accountId });
  const free = fillRoom(accountId);
  const { status, error } = await callTrpc('query', 'testimonials.list', {}, { cookie });
  expect([status, error?.data.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
  await free();
});

test('a large answer is followed by as much time for others as it took, where others ask', async () => {
  const tookMs = 60;
  const answer = (work: () => void) =>
    rerunIfLarge('a', async ({ isLarge }) => {
      if (!isLarge) throw new LargeReadError(1);
      const begunAt = performance.now();
      work();
      return { begunAt, endedAt: performance.now() };
    });
  const busy = () => {
    standStill(tookMs);
    noteRequestOf('b');
  };
  const [first, next] = await Promise.all([answer(busy), answer(() => {})]);
  // Timers count whole milliseconds.
  expect(next.begunAt - first.endedAt).toBeGreaterThan(tookMs - 5);
});

import { randomUUID } from 'node:crypto';
import { database } from '@/src/database/client';
import { readVolume } from '@/src/requests/requests';
import { createAccount } from '../helpers/accounts';
import { callTrpc, signUp } from '../helpers/session';
import { insertRows, namedKey, reader } from './log';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const ago = (ms: number) => new Date(Date.now() - ms);

test('the newest comes first, and a walk by cursor repeats and skips nothing, also within one instant', async () => {
  const accountId = await createAccount();
  const now = Date.now();
  const ids = await insertRows(
    accountId,
    Array.from({ length: 7 }, (_, n) => ({
      receivedAt: new Date(now - (n < 4 ? minuteMs : 2 * minuteMs + n)),
    })),
  );
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await reader(accountId).list({ limit: 2, cursor });
    seen.push(...page.data.map(({ id }) => id));
    cursor = page.next_cursor;
  } while (cursor);
  expect(seen).toHaveLength(7);
  expect([...seen].sort()).toEqual([...ids].sort());
  expect(seen.slice(4)).toEqual(ids.slice(4));
  // Nothing follows a page that just holds all.
  expect((await reader(accountId).list({ limit: 7 })).next_cursor).toBeNull();
});

test('filters take what they say, alone and together', async () => {
  const accountId = await createAccount();
  const { id: keyId } = await namedKey(accountId);
  const [ok, cached, wrong, broken, old] = await insertRows(accountId, [
    { receivedAt: ago(1000), status: 201, method: 'POST', keyId },
    { receivedAt: ago(2000), status: 304, keyId: randomUUID() },
    { receivedAt: ago(3000), status: 404, route: '/spaces/{id}' },
    { receivedAt: ago(4000), status: 500 },
    { receivedAt: ago(3 * hourMs), status: 200 },
  ]);
  const list = async (input: Parameters<ReturnType<typeof reader>['list']>[0]) =>
    (await reader(accountId).list(input)).data.map(({ id }) => id);
  expect(await list({})).toEqual([ok, cached, wrong, broken, old]);
  expect(await list({ status: '2xx' })).toEqual([ok, old]);
  expect(await list({ status: '3xx' })).toEqual([cached]);
  expect(await list({ status: '4xx' })).toEqual([wrong]);
  expect(await list({ status: '5xx' })).toEqual([broken]);
  expect(await list({ operation: 'GET /spaces' })).toEqual([cached, broken, old]);
  expect(await list({ operation: 'GET /spaces/{id}' })).toEqual([wrong]);
  expect(await list({ key_id: keyId })).toEqual([ok]);
  expect(await list({ last_hours: 1 })).toEqual([ok, cached, wrong, broken]);
  expect(await list({ to: ago(hourMs).toISOString() })).toEqual([old]);
  expect(await list({ from: ago(hourMs).toISOString(), status: '5xx' })).toEqual([broken]);
  expect(await list({ last_hours: 1, status: '2xx', operation: 'GET /spaces' })).toEqual([]);
});

test('what is older than a week is not shown, though its day is still there', async () => {
  const accountId = await createAccount();
  const week = 7 * 24 * hourMs;
  const [young, old] = await insertRows(accountId, [
    { receivedAt: ago(week - minuteMs) },
    { receivedAt: ago(week + minuteMs) },
  ]);
  expect((await reader(accountId).list({})).data.map(({ id }) => id)).toEqual([young]);
  await expect(reader(accountId).get({ id: old ?? '' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});

test('the keys to filter by are the account’s own', async () => {
  const [accountId, other] = [await createAccount(), await createAccount()];
  const { id, hint } = await namedKey(accountId, 'Website');
  await namedKey(other, 'Theirs');
  expect(await reader(accountId).keys()).toEqual([{ id, hint, name: 'Website' }]);
});

test('of the keys to filter by the last used comes first, and what was never used last', async () => {
  const accountId = await createAccount();
  for (const name of ['Long ago', 'Never', 'Just now']) await namedKey(accountId, name);
  for (const [name, lastUsedAt] of [
    ['Long ago', ago(hourMs)],
    ['Just now', ago(0)],
  ] as const) {
    await database().apiKey.updateMany({
      where: { userId: accountId, name },
      data: { lastUsedAt },
    });
  }
  const names = (await reader(accountId).keys()).map(({ name }) => name);
  expect(names).toEqual(['Just now', 'Long ago', 'Never']);
});

test('a key of another account is never named', async () => {
  const [accountId, other] = [await createAccount(), await createAccount()];
  const { id: keyId } = await namedKey(other, 'Theirs');
  await insertRows(accountId, [{ receivedAt: ago(1000), keyId }]);
  const { data } = await reader(accountId).list({});
  expect(data).toMatchObject([{ key_id: keyId, key_name: null, key_hint: null }]);
});

test.each(['GET /spaces\0', 'GET /\ud800', 'GET', 'get /spaces'])(
  '%j is no operation to filter by',
  async (operation) => {
    const refused = { code: 'BAD_REQUEST' };
    await expect(reader(await createAccount()).list({ operation })).rejects.toMatchObject(refused);
  },
);

test('a line says which key it was by name and hint, and what was wrong in a sentence', async () => {
  const accountId = await createAccount();
  const key = await namedKey(accountId, 'Website');
  const problems = [
    { path: 'rating', message: 'Too big' },
    { path: 'status', message: 'Invalid' },
  ];
  await insertRows(accountId, [
    {
      receivedAt: ago(1000),
      keyId: key.id,
      status: 400,
      code: 'VALIDATION_ERROR',
      detail: { problems },
    },
    { receivedAt: ago(2000), keyId: key.id, status: 404, code: 'SPACE_NOT_FOUND' },
    {
      receivedAt: ago(3000),
      keyId: key.id,
      status: 403,
      code: 'INSUFFICIENT_SCOPE',
      detail: { message: 'Said so' },
    },
    {
      receivedAt: ago(4000),
      keyId: key.id,
      status: 500,
      code: 'OF_A_LATER_VERSION',
      detail: { query: 7 },
    },
    { receivedAt: ago(5000), keyId: key.id },
    {
      receivedAt: ago(6000),
      keyId: key.id,
      status: 400,
      code: 'VALIDATION_ERROR',
      detail: { problems, more_problems: 8 },
    },
  ]);
  const { data } = await reader(accountId).list({});
  expect(data.map(({ reason }) => reason)).toEqual([
    'rating: Too big (and 1 more)',
    'There is no space with this id.',
    'Said so',
    'OF_A_LATER_VERSION',
    null,
    'rating: Too big (and 9 more)',
  ]);
  expect(data[0]).toMatchObject({ key_name: 'Website', key_hint: key.hint, duration_ms: 1.5 });
  await database().apiKey.delete({ where: { id: key.id } });
  const [line] = (await reader(accountId).list({})).data;
  expect(line).toMatchObject({ key_id: key.id, key_name: null, key_hint: null });
});

test('a request is found by its X-Request-Id, with all that is known of it', async () => {
  const accountId = await createAccount();
  const field = { name: 'limit', type: 'text, 2 characters', value: null, is_known: true };
  const [id = ''] = await insertRows(accountId, [
    {
      receivedAt: ago(1000),
      status: 400,
      code: 'VALIDATION_ERROR',
      detail: { query: [field], problems: [{ path: '', message: 'limit is no integer' }] },
    },
  ]);
  expect(await reader(accountId).get({ id })).toMatchObject({
    id,
    query: [field],
    body: null,
    problems: [{ path: '', message: 'limit is no integer' }],
    is_cut: false,
  });
  await expect(reader(accountId).get({ id: randomUUID() })).rejects.toMatchObject({
    apiCode: 'REQUEST_NOT_FOUND',
  });
});

/** What was read within one hour, and when that began: read anew where it turned meanwhile. */
async function withinOneHour<T>(read: (startOfHour: Date) => Promise<T>): Promise<[Date, T]> {
  for (;;) {
    const hour = Math.floor(Date.now() / hourMs);
    const startOfHour = new Date(hour * hourMs);
    const found = await read(startOfHour);
    if (Math.floor(Date.now() / hourMs) === hour) return [startOfHour, found];
  }
}

test('the volume has every hour, counts included, beside the limit', async () => {
  const [startOfHour, { limit, hours, is_partial }] = await withinOneHour(async (start) => {
    const accountId = await createAccount();
    const before = (count: number) => new Date(start.getTime() - count * hourMs + 1);
    await insertRows(accountId, [
      { receivedAt: start, status: 200 },
      { receivedAt: start, status: 304, count: 3 },
      { receivedAt: before(2), status: 404 },
      { receivedAt: before(2), status: 429, count: 500 },
      { receivedAt: before(23), status: 500, count: 7 },
      { receivedAt: before(24), status: 500 },
    ]);
    return reader(accountId).volume({});
  });
  expect({ limit, is_partial }).toEqual({ limit: 1000, is_partial: false });
  expect(hours).toHaveLength(24);
  expect(hours.at(-1)).toEqual({
    hour_at: startOfHour.toISOString().replace('Z', '000+00:00'),
    succeeded: 4,
    refused: 0,
    failed: 0,
  });
  expect(hours.at(-3)).toMatchObject({ succeeded: 0, refused: 501, failed: 0 });
  expect(hours[0]).toMatchObject({ failed: 7 });
  expect(hours.reduce((sum, hour) => sum + hour.failed, 0)).toBe(7);
});

test('of more rows than are counted the newest are, and the volume says so', async () => {
  const accountId = await createAccount();
  const now = Date.now();
  await insertRows(accountId, [
    { receivedAt: new Date(now - 20 * hourMs), status: 500 },
    { receivedAt: new Date(now - 2 * hourMs), status: 404 },
    { receivedAt: new Date(now - hourMs), status: 200 },
  ]);
  const read = async (mostRows: number) => {
    const { hours, is_partial } = await readVolume(accountId, { hours: 24 }, 'live', mostRows);
    const sum = (kind: 'succeeded' | 'refused' | 'failed') =>
      hours.reduce((total, hour) => total + hour[kind], 0);
    return { is_partial, counted: [sum('succeeded'), sum('refused'), sum('failed')] };
  };
  expect(await read(4)).toEqual({ is_partial: false, counted: [1, 1, 1] });
  expect(await read(2)).toEqual({ is_partial: true, counted: [1, 1, 0] });
});

test('the log is read with a session, over tRPC', async () => {
  const person = await signUp();
  await insertRows(person.accountId, [{ receivedAt: ago(1000) }]);
  const headers = { cookie: person.cookie };
  const list = await callTrpc('query', 'requests.list', { limit: 10 }, headers);
  expect(list.data.data).toHaveLength(1);
  expect((await callTrpc('query', 'requests.list', {})).status).toBe(401);
  const missing = await callTrpc('query', 'requests.get', { id: randomUUID() }, headers);
  expect([missing.status, missing.error?.data.code]).toEqual([404, 'REQUEST_NOT_FOUND']);
});

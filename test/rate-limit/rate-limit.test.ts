import { RateLimiterMemory } from 'rate-limiter-flexible';
import { countRequest, createRequestCounter } from '@/src/rate-limit/counter';
import { createAccount, createKey } from '../helpers/accounts';
import { type Answer, client, send } from '../helpers/client';
import { stopClockAt } from '../helpers/clock';

/** Contract, section 8. */
const limit = 1000;
const windowMs = 60 * 60 * 1000;

const headersOf = ({ headers }: Answer) => ({
  limit: headers.get('x-ratelimit-limit'),
  remaining: headers.get('x-ratelimit-remaining'),
  reset: headers.get('x-ratelimit-reset'),
});

const remaining = (answer: Answer) => Number(headersOf(answer).remaining);

async function createCaller() {
  const accountId = await createAccount();
  const key = await createKey(accountId);
  return {
    accountId,
    key,
    api: client(key),
    /** Counts requests as if they had been sent. */
    use: async (requests: number) => {
      for (let used = 0; used < requests; used += 1) await countRequest(accountId);
    },
  };
}

describe('the three headers', () => {
  test('say as strings what is allowed, what is left, and when the window ends', async () => {
    const { api } = await createCaller();
    const before = Date.now();
    const answer = await api.get('/spaces');
    const { reset, ...counts } = headersOf(answer);
    expect(counts).toEqual({ limit: '1000', remaining: '999' });
    expect(reset).toMatch(/^\d{13}$/);
    expect(Number(reset)).toBeGreaterThanOrEqual(before + windowMs);
    expect(Number(reset)).toBeLessThanOrEqual(Date.now() + windowMs);
    expect(answer.headers.has('retry-after')).toBe(false);
  });

  test('are on every answer after the count, whatever it is, with one reset for the window', async () => {
    const { api, key, accountId } = await createCaller();
    const readOnly = await createKey(accountId, ['read']);
    const answers = [
      await api.get('/spaces'),
      await api.post('/spaces', { name: 'A space' }),
      await api.delete(`/spaces/${accountId}`),
      await api.get(`/spaces/${accountId}`),
      await api.get('/testimonials?limit=0'),
      await send('POST', '/spaces', { key, raw: '{' }),
      await api.get('/nowhere'),
      await send('PUT', '/spaces', { key }),
      await send('POST', '/spaces', { key: readOnly, json: { name: 'Refused' } }),
      await send('HEAD', '/spaces', { key }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([
      200, 201, 204, 404, 400, 500, 404, 405, 403, 200,
    ]);
    expect(answers.map(remaining)).toEqual([999, 998, 997, 996, 995, 994, 993, 992, 991, 990]);
    expect(new Set(answers.map((answer) => headersOf(answer).limit))).toEqual(new Set(['1000']));
    expect(new Set(answers.map((answer) => headersOf(answer).reset)).size).toBe(1);
  });
});

describe('the limit', () => {
  test('lets the 1000th request of the window through, and answers the 1001st 429', async () => {
    const { api, use } = await createCaller();
    await use(limit - 1);
    const last = await api.get('/spaces');
    expect([last.status, remaining(last)]).toEqual([200, 0]);
    const refused = await api.get('/spaces');
    expect(refused.status).toBe(429);
    const { reset } = headersOf(last);
    expect(refused.body).toEqual({
      error: {
        code: 'RATE_LIMIT_EXCEEDED',
        message: expect.any(String),
        details: { limit, reset },
      },
    });
    expect(headersOf(refused)).toEqual({ limit: '1000', remaining: '0', reset });
    const retryAfter = Number(refused.headers.get('retry-after'));
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(retryAfter * 1000).toBeGreaterThanOrEqual(Number(reset) - Date.now());
    expect(retryAfter).toBeLessThanOrEqual(3600);
  });

  test('does nothing of what a refused request asks', async () => {
    const { api, key, use } = await createCaller();
    await use(limit);
    await api.post('/spaces', { name: 'Refused' });
    stopClockAt(Date.now() + windowMs + 1000);
    expect((await client(key).get('/spaces')).body.pagination.total).toBe(0);
  });

  test('is shared by all keys of the account', async () => {
    const { api, accountId, use } = await createCaller();
    const second = client(await createKey(accountId));
    expect(remaining(await api.get('/spaces'))).toBe(999);
    expect(remaining(await second.get('/spaces'))).toBe(998);
    await use(limit - 2);
    expect((await api.get('/spaces')).status).toBe(429);
    expect((await second.get('/spaces')).status).toBe(429);
    const third = client(await createKey(accountId));
    expect((await third.get('/spaces')).status).toBe(429);
  });

  test('of one account leaves other accounts alone', async () => {
    const { api, use } = await createCaller();
    await use(limit);
    expect((await api.get('/spaces')).status).toBe(429);
    const other = await createCaller();
    expect(remaining(await other.api.get('/spaces'))).toBe(999);
  });

  test('is exact under parallel requests', async () => {
    const { api } = await createCaller();
    const answers = await Promise.all(Array.from({ length: 50 }, () => api.get('/spaces')));
    const left = answers.map(remaining).sort((a, b) => b - a);
    expect(left).toEqual(Array.from({ length: 50 }, (_, index) => 999 - index));
    expect(new Set(answers.map((answer) => headersOf(answer).reset)).size).toBe(1);
  });

  test('is exact under parallel requests where it is reached', async () => {
    const { api, use } = await createCaller();
    await use(limit - 20);
    const answers = await Promise.all(Array.from({ length: 50 }, () => api.get('/spaces')));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(20).fill(200), ...Array(30).fill(429)]);
  });
});

describe('the window', () => {
  const start = Date.UTC(2027, 0, 15, 10, 30);

  test('starts with the first request and ends one hour later, not at the full hour', async () => {
    const { api, use } = await createCaller();
    stopClockAt(start);
    const reset = String(start + windowMs);
    expect(headersOf(await api.get('/spaces'))).toEqual({ limit: '1000', remaining: '999', reset });
    await use(limit);
    stopClockAt(start + windowMs - 1);
    const refused = await api.get('/spaces');
    expect([refused.status, headersOf(refused).reset]).toEqual([429, reset]);
    expect(refused.headers.get('retry-after')).toBe('1');
    stopClockAt(start + windowMs);
    const next = await api.get('/spaces');
    expect(next.status).toBe(200);
    const nextReset = String(start + 2 * windowMs);
    expect(headersOf(next)).toEqual({ limit: '1000', remaining: '999', reset: nextReset });
  });

  test('keeps its end to the millisecond while requests come', async () => {
    const { api } = await createCaller();
    const resets = new Set<string | null>();
    for (const passedMs of [0, 1, 999, 60_000, 1_800_000, windowMs - 1]) {
      stopClockAt(start + passedMs);
      resets.add(headersOf(await api.get('/spaces')).reset);
    }
    expect([...resets]).toEqual([String(start + windowMs)]);
  });

  test('is not prolonged by refused requests, which count too', async () => {
    const { api, use } = await createCaller();
    stopClockAt(start);
    await use(limit + 500);
    stopClockAt(start + windowMs / 2);
    const refused = await api.get('/spaces');
    expect([refused.status, remaining(refused)]).toEqual([429, 0]);
    expect(refused.headers.get('retry-after')).toBe('1800');
    stopClockAt(start + windowMs);
    expect((await api.get('/spaces')).status).toBe(200);
  });

  test('is told to be no longer than an hour where the clock was set back', async () => {
    const { api, use } = await createCaller();
    stopClockAt(start + 2 * 24 * windowMs);
    await use(limit);
    stopClockAt(start);
    const refused = await api.get('/spaces');
    expect([refused.status, headersOf(refused).reset]).toEqual([429, String(start + windowMs)]);
    expect(refused.headers.get('retry-after')).toBe('3600');
  });
});

describe('what does not count', () => {
  test('requests without a key, with a bad one, a preflight, and the published document', async () => {
    const { api, key } = await createCaller();
    const answers = [
      await send('GET', '/spaces'),
      await send('GET', '/spaces', { key: 'junk' }),
      await send('GET', '/spaces', { key: `sk_live_${'0'.repeat(64)}` }),
      await send('OPTIONS', '/spaces', { key }),
      await send('GET', '/openapi.json', { key }),
    ];
    for (const answer of answers) expect(headersOf(answer).limit).toBeNull();
    expect(remaining(await api.get('/spaces'))).toBe(999);
  });
});

test('where very many accounts have had a window, those that are over are remembered no more', async () => {
  const counter = createRequestCounter({ requests: 2, windowSeconds: 3600 });
  const noted = jest.spyOn(Map.prototype, 'set');
  for (let account = 0; account < 10_000; account += 1) await counter.count(`early ${account}`);
  stopClockAt(Date.now() + windowMs + 1000);
  noted.mockClear();
  await counter.count('late');
  const place = noted.mock.calls.findIndex(([id, end]) => id === 'late' && end > Date.now());
  const remembered = noted.mock.contexts[place];
  noted.mockRestore();
  expect([...(remembered?.keys() ?? [])]).toEqual(['late']);
});

test('however many accounts have a window, few requests look at all of them', async () => {
  const limiter = new RateLimiterMemory({ points: 2, duration: 3600 });
  const counter = createRequestCounter({ requests: 2, windowSeconds: 3600 }, (use) => use(limiter));
  const looks = jest.spyOn(Map.prototype, Symbol.iterator);
  for (let account = 0; account < 11_000; account += 1) await counter.count(`account ${account}`);
  const made = looks.mock.contexts.filter(({ size }) => size >= 10_000).length;
  looks.mockRestore();
  expect(made).toBe(1);
});

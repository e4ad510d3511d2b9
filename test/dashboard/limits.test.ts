import { z } from 'zod';
import { GET, POST } from '@/app/api/trpc/[trpc]/route';
import { sessionPrincipal } from '@/src/accounts/auth/session';
import { maxBatchSize } from '@/src/api/batch-size';
import { dashboardContext } from '@/src/dashboard';
import { database } from '@/src/database/client';
import { countProcedure } from '@/src/rate-limit/counter';
import { dashboardLimits } from '@/src/rate-limit/limits';
import { createAccount, createKey } from '../helpers/accounts';
import { client } from '../helpers/client';
import { askAuth, callTrpc, cookieOf, password, signUp } from '../helpers/session';

const ours = { host: 'localhost', origin: 'http://localhost' };

/** Calls one procedure so many times in one request. */
function batch(method: 'GET' | 'POST', name: string, inputs: unknown[], cookie: string) {
  const input = JSON.stringify(Object.fromEntries(inputs.entries()));
  const address = `http://localhost/api/trpc/${inputs.map(() => name).join(',')}?batch=1`;
  const headers = { ...ours, cookie, 'content-type': 'application/json' };
  return method === 'GET'
    ? GET(new Request(`${address}&input=${encodeURIComponent(input)}`, { headers }))
    : POST(new Request(address, { method, headers, body: input }));
}

const names = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `${index}` }));

async function use(times: number, of: { sessionId: string; accountId: string }): Promise<void> {
  for (let index = 0; index < times; index += 1) await countProcedure(of);
}

async function sessionIdOf(cookie: string): Promise<string> {
  const principal = await sessionPrincipal(new Headers({ cookie }));
  return principal?.sessionId ?? '';
}

const refusal = z.object({ error: z.object({ data: z.object({ code: z.string() }) }) });

describe('a batch of the dashboard', () => {
  test(`has at most ${maxBatchSize} procedures; of a larger one none runs`, async () => {
    const { cookie, accountId } = await signUp();
    const tooMany = await batch('POST', 'spaces.create', names(maxBatchSize + 1), cookie);
    expect(tooMany.status).toBe(400);
    expect(refusal.parse(await tooMany.json()).error.data.code).toBe('VALIDATION_ERROR');
    const lists = names(maxBatchSize + 1).map(() => ({}));
    expect((await batch('GET', 'spaces.list', lists, cookie)).status).toBe(400);
    expect(await database().space.count({ where: { user_id: accountId } })).toBe(0);
    const full = await batch('POST', 'spaces.create', names(maxBatchSize), cookie);
    expect(full.status).toBe(200);
    expect(await database().space.count({ where: { user_id: accountId } })).toBe(maxBatchSize);
  });

  test('counts each of its procedures', async () => {
    const { cookie, accountId } = await signUp();
    const sessionId = await sessionIdOf(cookie);
    await use(dashboardLimits.session.requests - 3, { sessionId, accountId });
    const answer = await batch('POST', 'spaces.create', names(5), cookie);
    expect(answer.status).toBe(207);
    expect(await database().space.count({ where: { user_id: accountId } })).toBe(3);
  });
});

describe('the procedures of the dashboard', () => {
  test('are limited by session, and the other sessions of the account go on', async () => {
    const { cookie, accountId, email } = await signUp();
    const elsewhere = cookieOf(await askAuth('/sign-in/email', { email, password }));
    const sessionId = await sessionIdOf(cookie);
    await use(2 * dashboardLimits.session.requests, { sessionId, accountId });
    const refused = await callTrpc('mutation', 'spaces.create', { name: 'A' }, { cookie });
    expect([refused.status, refused.error?.data.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
    expect(await database().space.count({ where: { user_id: accountId } })).toBe(0);
    expect((await callTrpc('query', 'spaces.list', {}, { cookie: elsewhere })).status).toBe(200);
  });

  test('are limited by account, however many sessions it opens, and hurt neither the API nor others', async () => {
    const { cookie, accountId } = await signUp();
    const { requests } = dashboardLimits.account;
    for (const sessionId of ['one', 'two', 'three']) {
      await use(requests / 2, { sessionId: `${accountId}-${sessionId}`, accountId });
    }
    expect((await callTrpc('query', 'spaces.list', {}, { cookie })).status).toBe(429);
    const answer = await client(await createKey(accountId)).get('/spaces');
    expect([answer.status, answer.headers.get('x-ratelimit-remaining')]).toEqual([200, '999']);
    const other = await signUp();
    const theirs = await callTrpc('query', 'spaces.list', {}, { cookie: other.cookie });
    expect(theirs.status).toBe(200);
  });
});

describe('of one account', () => {
  /** Starts procedures that end when they are told to, and says how many are running. */
  function start(accountId: string, count: number, isUpload = false) {
    const { admit } = dashboardContext({
      accountId,
      sessionId: accountId,
      scopes: [],
      via: 'session',
    });
    let running = 0;
    let isOver = false;
    const ends: (() => void)[] = [];
    const all = Array.from({ length: count }, () =>
      admit?.(
        async () => {
          running += 1;
          if (!isOver) await new Promise<void>((end) => ends.push(end));
          running -= 1;
          return { data: undefined };
        },
        { isUpload },
      ),
    );
    const settle = async () => {
      for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    };
    return {
      running: async () => {
        await settle();
        return running;
      },
      endOne: () => ends.shift()?.(),
      endAll: async () => {
        isOver = true;
        for (const end of ends) end();
        await Promise.all(all);
      },
    };
  }

  test('at most four procedures run at once, and another account waits for none of them', async () => {
    const mine = start(await createAccount(), 9);
    expect(await mine.running()).toBe(4);
    const theirs = start(await createAccount(), 2);
    expect(await theirs.running()).toBe(2);
    mine.endOne();
    // Its place is left to others for as long as it was used.
    while ((await mine.running()) < 4);
    expect(await mine.running()).toBe(4);
    await mine.endAll();
    await theirs.endAll();
    expect(await mine.running()).toBe(0);
  });

  test('uploads take no place from the other procedures', async () => {
    const accountId = await createAccount();
    const uploads = start(accountId, 6, true);
    expect(await uploads.running()).toBe(6);
    const others = start(accountId, 2);
    expect(await others.running()).toBe(2);
    await uploads.endAll();
    await others.endAll();
  });
});

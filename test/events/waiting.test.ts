import { getEventListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { GET } from '@/app/api/v1/[[...path]]/route';
import type { ErrorCode } from '@/src/api/errors';
import { digestKey } from '@/src/api-keys/key';
import { database } from '@/src/database/client';
import type { Prisma } from '@/src/database/generated/client';
import { listEvents } from '@/src/events/events';
import { readFeed } from '@/src/events/feed';
import {
  createWaitingRoom,
  type ReadHeads,
  type WaitingLimits,
  waitingRoom,
} from '@/src/events/waiting';
import { log } from '@/src/logging/log';
import { createKey, createTenant, type Tenant } from '../helpers/accounts';
import { client } from '../helpers/client';
import { expectError } from '../helpers/expectations';
import { promised } from '../helpers/promised';
import { latestCursor, page } from './following';
import { soFar, whenWaiting } from './waiting';

jest.mock('@/src/events/feed', () => {
  const feed = jest.requireActual<typeof import('@/src/events/feed')>('@/src/events/feed');
  return { ...feed, readFeed: jest.fn(feed.readFeed) };
});

const longMs = 60_000;
const nothing: ReadHeads = async () => new Map();

function room(limits: Partial<WaitingLimits> = {}, readHeads = nothing) {
  return createWaitingRoom(
    { total: 10, perAccount: 10, pollMs: 1, restMs: 1, ...limits },
    readHeads,
  );
}

function entered(place: ReturnType<ReturnType<typeof room>['enter']>) {
  if (!place) throw new Error('There was no place');
  return place;
}

/** Asks for the next space that is deleted. Resolves once the feed was looked into, to no avail. */
async function waitForDeletion({ api }: Tenant) {
  const enter = jest.spyOn(waitingRoom(), 'enter');
  const looks = jest.mocked(readFeed).mockClear().mock.calls;
  const asking = page(api.get, { after: 'latest', types: 'space.deleted', wait: 20 });
  while (looks.length < 1) await turn();
  const place = entered(enter.mock.results[0]?.value);
  enter.mockRestore();
  return { asking, looks, place };
}

test('a database that fails at each look is told of once a minute', async () => {
  const warn = jest.spyOn(log(), 'warn').mockReturnValue();
  let looks = 0;
  const looked = promised<void>();
  const { enter } = room({}, async () => {
    looks += 1;
    if (looks === 3) looked.resolve();
    throw new Error('away');
  });
  const place = entered(enter('one'));
  const waiting = place.until(1, longMs);
  await looked.promise;
  place.leave();
  expect(await waiting).toBe(false);
  expect(warn).toHaveBeenCalledTimes(1);
  expect(warn).toHaveBeenCalledWith(
    { err: expect.any(Error), times: 1 },
    'events were not looked for',
  );
  warn.mockRestore();
});

describe('who waits', () => {
  test('is told of an event of the own account, and of no other’s', async () => {
    const { enter, announce } = room();
    const [one, two] = [entered(enter('one')), entered(enter('two'))];
    const [ofOne, ofTwo] = [one.until(1, longMs), two.until(1, longMs)];
    announce('one');
    expect([await soFar(ofOne), await soFar(ofTwo)]).toEqual([true, 'waits']);
    two.leave();
    expect(await ofTwo).toBe(false);
  });

  test('is told of one that came before the wait, while the feed was read', async () => {
    const { enter, announce } = room();
    const place = entered(enter('one'));
    announce('one');
    expect(await place.until(1, longMs)).toBe(true);
    const again = place.until(1, longMs);
    expect(await soFar(again)).toBe('waits');
    place.leave();
  });

  test('is told of what another process wrote, by asking for all at once', async () => {
    const asked: string[][] = [];
    const heads = new Map([['one', 5]]);
    const { enter } = room({}, async (accounts) => {
      asked.push(accounts);
      return heads;
    });
    const places = [entered(enter('one')), entered(enter('one')), entered(enter('two'))];
    const [behind, atEnd, other] = places.map((place, i) => place.until(i === 0 ? 4 : 5, longMs));
    expect(await behind).toBe(true);
    expect(await soFar(Promise.all([atEnd]))).toBe('waits');
    heads.set('one', 6);
    expect(await atEnd).toBe(true);
    for (const place of places) place.leave();
    expect(await other).toBe(false);
    expect(asked[0]).toEqual(['one', 'two']);
  });

  test('goes on waiting where it cannot be asked', async () => {
    let isDown = true;
    const { enter } = room({}, async () => {
      if (!isDown) return new Map([['one', 1]]);
      isDown = false;
      throw new Error('down');
    });
    const place = entered(enter('one'));
    expect(await place.until(0, longMs)).toBe(true);
  });

  test('is sent away when the time is up', async () => {
    const place = entered(room().enter('one'));
    expect(await place.until(1, 1)).toBe(false);
    expect(await place.until(1, 0)).toBe(false);
  });

  test('is sent away when the time is up or the process stops, whatever comes meanwhile', async () => {
    const { enter, announce, close } = room();
    const place = entered(enter('one'));
    announce('one');
    expect(await place.until(1, 0)).toBe(false);
    close();
    announce('one');
    expect(await place.until(1, longMs)).toBe(false);
  });

  test('is sent away at once when the process stops, and so is who comes then', async () => {
    const { enter, close } = room();
    const waits = entered(enter('one')).until(1, longMs);
    close();
    expect(await waits).toBe(false);
    expect(await entered(enter('one')).until(1, longMs)).toBe(false);
  });

  test('is one of so many, in the account and in the process', () => {
    const { enter } = room({ total: 3, perAccount: 2 });
    const first = entered(enter('one'));
    expect([enter('one'), enter('one')]).toEqual([expect.anything(), undefined]);
    expect([enter('two'), enter('two')]).toEqual([expect.anything(), undefined]);
    first.leave();
    first.leave();
    expect([enter('two'), enter('two')]).toEqual([expect.anything(), undefined]);
  });

  test('rests for longer, the more of the account wait', async () => {
    const { enter } = room({ restMs: 20 });
    const [one, other] = [entered(enter('one')), entered(enter('other'))];
    for (let more = 0; more < 4; more += 1) enter('one');
    const woken: string[] = [];
    await Promise.all([
      one.rest().then(() => woken.push('of five')),
      other.rest().then(() => woken.push('alone')),
    ]);
    expect(woken).toEqual(['alone', 'of five']);
  });
});

describe('GET /events with wait', () => {
  test('answers as soon as there is an event, and holds no connection until then', async () => {
    const tenant = await createTenant();
    const after = await latestCursor(tenant.api.get);
    const asking = page(tenant.api.get, { after, wait: 20 });
    await whenWaiting(asking);
    const { id } = await tenant.space();
    const { body } = await asking;
    expect(body.data).toMatchObject([{ type: 'space.created', data: { id } }]);
    expect(body.pagination.next_cursor).not.toBe(after);
  });

  test('answers at once where there are events already', async () => {
    const tenant = await createTenant();
    await tenant.space();
    expect((await page(tenant.api.get, { wait: 20 })).body.data).toHaveLength(1);
  });

  test('goes on waiting past types that were not asked for', async () => {
    const tenant = await createTenant();
    const asking = page(tenant.api.get, {
      after: 'latest',
      types: 'testimonial.created',
      wait: 20,
    });
    await whenWaiting(asking);
    const { id } = await tenant.space();
    await tenant.testimonial(id);
    expect((await asking).body.data).toMatchObject([{ type: 'testimonial.created' }]);
  });

  test('rests after a look in vain, whatever is written meanwhile', async () => {
    const tenant = await createTenant();
    const { asking, looks, place } = await waitForDeletion(tenant);
    const resting = promised<void>();
    jest.spyOn(place, 'rest').mockReturnValueOnce(resting.promise);
    const { id } = await tenant.space();
    while (looks.length < 2) await turn();
    await tenant.space();
    await tenant.space();
    await tenant.api.delete(`/spaces/${id}`);
    expect([looks.length, await soFar(asking)]).toEqual([2, 'waits']);
    resting.resolve();
    expect((await asking).body.data).toMatchObject([{ type: 'space.deleted', data: { id } }]);
    expect(looks.length).toBe(3);
  });

  test('waits no longer in all than it was to, whatever comes meanwhile', async () => {
    const tenant = await createTenant();
    const { asking, looks, place } = await waitForDeletion(tenant);
    const until = jest.spyOn(place, 'until');
    const { id } = await tenant.space();
    while (looks.length < 2) await turn();
    await tenant.api.delete(`/spaces/${id}`);
    await asking;
    expect(until).toHaveBeenCalled();
    for (const [, ms] of until.mock.calls) expect(ms).toBeLessThan(20_000);
  });

  test('answers at once where the feed goes on, though nothing in this part of it was asked for', async () => {
    const { accountId } = await createTenant();
    const part = { events: [], next: { position: 2_000, id: null }, hasMore: true };
    jest.mocked(readFeed).mockResolvedValueOnce(part);
    // Where it were to wait, it would be refused.
    jest.spyOn(waitingRoom(), 'enter').mockReturnValueOnce(undefined);
    const { data, pagination } = await listEvents(accountId, { wait: 20, limit: 1 }, {});
    expect([data, pagination.has_more]).toEqual([[], true]);
  });

  test('leaves its place to the next with its answer', async () => {
    const tenant = await createTenant();
    await tenant.space();
    const enter = () => waitingRoom().enter(tenant.accountId);
    const places = Array.from({ length: 99 }, enter);
    expect((await page(tenant.api.get, { wait: 20 })).body.data).toHaveLength(1);
    places.push(enter());
    expect(places.at(-1)).toBeDefined();
    for (const place of places) place?.leave();
  });

  test('is not answered with what belongs to another account', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()];
    const after = await latestCursor(tenant.api.get);
    const asking = page(tenant.api.get, { after, wait: 20 });
    await whenWaiting(asking);
    await other.space();
    expect(await soFar(asking)).toBe('waits');
    await tenant.space();
    expect((await asking).body.data).toHaveLength(1);
  });

  test.each<[state: string, change: Prisma.ApiKeyUpdateInput | undefined, 401 | 403, ErrorCode]>([
    ['deleted', undefined, 401, 'INVALID_API_KEY'],
    ['switched off', { enabled: false }, 403, 'API_KEY_DISABLED'],
    ['expired', { expiresAt: new Date(0) }, 403, 'API_KEY_EXPIRED'],
    ['without the scope', { scopes: ['write'] }, 403, 'INSUFFICIENT_SCOPE'],
  ])('tells a key nothing that is %s by then', async (_, change, status, code) => {
    const tenant = await createTenant();
    const key = await createKey(tenant.accountId, ['read']);
    const asking = page(client(key).get, { after: 'latest', wait: 20 });
    await whenWaiting(asking);
    const where = { digest: digestKey(key) };
    await (change
      ? database().apiKey.update({ where, data: change })
      : database().apiKey.delete({ where }));
    await tenant.space();
    expectError(await asking, status, code);
    expectError(await page(client(key).get), status, code);
  });

  test('ends when the client has left', async () => {
    const { accountId } = await createTenant();
    let leave = () => {};
    const input = { after: 'latest', wait: 20, limit: 1 };
    const whenGone = (listener: () => void) => {
      leave = listener;
    };
    const asking = listEvents(accountId, input, { whenGone });
    await whenWaiting(asking);
    leave();
    expect((await asking).data).toEqual([]);
  });

  test('ends when the client of a route has left', async () => {
    const { api } = await createTenant();
    const client = new AbortController();
    const url = 'http://localhost:3000/api/v1/events?after=latest&wait=20';
    const headers = { authorization: `Bearer ${api.key}` };
    const request = new Request(url, { headers, signal: client.signal });
    const asking = GET(request);
    await whenWaiting(asking);
    expect(getEventListeners(request.signal, 'abort')).toHaveLength(1);
    client.abort();
    expect((await (await asking).json()).data).toEqual([]);
  });

  test('does not begin where the client of a route has left by then', async () => {
    const { api } = await createTenant();
    const headers = { authorization: `Bearer ${api.key}` };
    const url = 'http://localhost:3000/api/v1/events?after=latest&wait=20';
    const startedAt = performance.now();
    const answer = await GET(new Request(url, { headers, signal: AbortSignal.abort() }));
    expect((await answer.json()).data).toEqual([]);
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });

  test('is refused with 503 where too many of the account wait', async () => {
    const tenant = await createTenant();
    const places = Array.from({ length: 100 }, () => waitingRoom().enter(tenant.accountId));
    const answer = await page(tenant.api.get, { after: 'latest', wait: 20 });
    expectError(answer, 503, 'OVERLOADED');
    expect(answer.headers.get('retry-after')).toBe('1');
    for (const place of places) place?.leave();
    const other = await createTenant();
    await other.space();
    expect((await page(other.api.get, { wait: 20 })).status).toBe(200);
  });
});

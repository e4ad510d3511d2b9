import { setTimeout as sleep } from 'node:timers/promises';
import { database } from '@/src/database/client';
import { createFairPlaces, type FairPlaces } from '@/src/fair-places';
import { singleton } from '@/src/singleton';
import { callTrpc, signUp } from '../helpers/session';
import { until } from '../helpers/until';

/** Has all places of an account taken until they are given back. */
async function takeAllPlaces(accountId: string) {
  const places = singleton<FairPlaces>('dashboard-places', () =>
    createFairPlaces({ perKey: 0, waitingPerKey: 0 }),
  );
  const { signal } = new AbortController();
  const leaves = await Promise.all([1, 2, 3, 4].map(() => places.enter(accountId, signal)));
  const enter = jest.spyOn(places, 'enter');
  return {
    /** Resolves once somebody has waited for a place for longer than a session is taken for known. */
    async hasKeptWaiting() {
      await until(() => enter.mock.calls.length > 0);
      await sleep(300);
    },
    giveBack() {
      enter.mockRestore();
      for (const leave of leaves) leave?.();
    },
  };
}

test('who is signed out while a procedure waits for its place makes no key any more', async () => {
  const { accountId, cookie } = await signUp();
  expect((await callTrpc('query', 'apiKeys.list', undefined, { cookie })).status).toBe(200);
  const taken = await takeAllPlaces(accountId);
  const making = callTrpc(
    'mutation',
    'apiKeys.create',
    { name: 'Late', scopes: ['read'] },
    { cookie },
  );
  await taken.hasKeptWaiting();
  await database().session.deleteMany({ where: { userId: accountId } });
  taken.giveBack();
  expect((await making).status).toBe(401);
  expect(await database().apiKey.count({ where: { userId: accountId } })).toBe(0);
});

test('who has waited for a place and is signed in still is served', async () => {
  const { accountId, cookie } = await signUp();
  expect((await callTrpc('query', 'apiKeys.list', undefined, { cookie })).status).toBe(200);
  const taken = await takeAllPlaces(accountId);
  const listing = callTrpc('query', 'apiKeys.list', undefined, { cookie });
  await taken.hasKeptWaiting();
  taken.giveBack();
  expect((await listing).status).toBe(200);
});

import { setTimeout as sleep } from 'node:timers/promises';
import { database } from '@/src/database/client';
import { createFairPlaces, type FairPlaces } from '@/src/fair-places';
import { singleton } from '@/src/singleton';
import { callTrpc, signUp } from '../helpers/session';

/** Has all places of an account taken until what it returns is called. */
async function takeAllPlaces(accountId: string): Promise<() => void> {
  const places = singleton<FairPlaces>('dashboard-places', () =>
    createFairPlaces({ perKey: 0, waitingPerKey: 0 }),
  );
  const { signal } = new AbortController();
  const leaves = await Promise.all([1, 2, 3, 4].map(() => places.enter(accountId, signal)));
  return () => {
    for (const leave of leaves) leave?.();
  };
}

test('who is signed out while a procedure waits for its place makes no key any more', async () => {
  const { accountId, cookie } = await signUp();
  expect((await callTrpc('query', 'apiKeys.list', undefined, { cookie })).status).toBe(200);
  const giveBack = await takeAllPlaces(accountId);
  const making = callTrpc(
    'mutation',
    'apiKeys.create',
    { name: 'Late', scopes: ['read'] },
    { cookie },
  );
  await sleep(500);
  await database().session.deleteMany({ where: { userId: accountId } });
  giveBack();
  expect((await making).status).toBe(401);
  expect(await database().apiKey.count({ where: { userId: accountId } })).toBe(0);
});

test('who has waited for a place and is signed in still is served', async () => {
  const { accountId, cookie } = await signUp();
  expect((await callTrpc('query', 'apiKeys.list', undefined, { cookie })).status).toBe(200);
  const giveBack = await takeAllPlaces(accountId);
  const listing = callTrpc('query', 'apiKeys.list', undefined, { cookie });
  await sleep(500);
  giveBack();
  expect((await listing).status).toBe(200);
});

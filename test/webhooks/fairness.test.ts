import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { startLoop } from '@/src/background/loop';
import { database } from '@/src/database/client';
import { jobs } from '@/src/jobs';
import { webhookLimits } from '@/src/webhooks/limits';
import { type Claimed, claimDue } from '@/src/webhooks/sending/claim';
import { createSlowAccounts } from '@/src/webhooks/sending/slow-accounts';
import { drainAt } from '../helpers/drain';
import { withOwnDatabase } from '../helpers/own-database';
import { addPending } from './backlog';
import type { Received } from './receiver';
import { claimAt, newSending, withBacklog } from './sending';

withOwnDatabase();

const claim = (free?: number) => claimAt({ free });

function perEndpoint(claimed: Claimed[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { endpointId } of claimed) counts[endpointId] = (counts[endpointId] ?? 0) + 1;
  return counts;
}

test('five attempts at an endpoint are under way at most, one where it only fails', async () => {
  const { endpointId: healthy } = await newSending();
  const { endpointId: failing } = await newSending();
  await database().webhookEndpoint.update({
    where: { id: failing },
    data: { failingSince: new Date(), failureCount: 1 },
  });
  await addPending(healthy, 12);
  await addPending(failing, 12);
  expect(perEndpoint(await claim())).toEqual({ [healthy]: 5, [failing]: 1 });
  expect(await claim()).toEqual([]);
});

test('what can be sent is found behind any backlog that cannot', async () => {
  const { endpointId: busy } = await newSending();
  const { endpointId: paused, webhooks } = await newSending();
  const others = await Promise.all([newSending(), newSending(), newSending()]);
  await addPending(busy, 700);
  await addPending(paused, 700);
  await webhooks.endpoints.update({ id: paused, enabled: false });
  for (const { endpointId } of others) await addPending(endpointId, 7, new Date(Date.now() - 1000));
  const claimed = perEndpoint(await claim());
  expect(claimed).toEqual({
    [busy]: 5,
    ...Object.fromEntries(others.map(({ endpointId }) => [endpointId, 5])),
  });
});

test('a small room is shared out between endpoints', async () => {
  const sendings = await Promise.all([newSending(), newSending(), newSending()]);
  for (const { endpointId } of sendings) await addPending(endpointId, 20);
  expect(perEndpoint(await claim(3))).toEqual(
    Object.fromEntries(sendings.map(({ endpointId }) => [endpointId, 1])),
  );
});

test('the oldest go first', async () => {
  const { endpointId, write } = await newSending();
  await write();
  await addPending(endpointId, 1);
  const [first] = await claim(1);
  expect(first?.event.data).toBe('{}');
});

test('two claims at once never take the same delivery', async () => {
  const sendings = await Promise.all([newSending(), newSending(), newSending(), newSending()]);
  for (const { endpointId } of sendings) await addPending(endpointId, 50);
  for (let round = 0; round < 5; round++) {
    const claims = await Promise.all([claim(6), claim(6), claim(6), claim(6)]);
    const ids = claims.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    await database().$executeRaw`UPDATE webhook_deliveries
      SET lease_token = NULL, leased_at = NULL, leased_until = NULL`;
  }
});

test("a receiver that hangs delays no other account's deliveries", async () => {
  const slow = await newSending(() => {});
  const { endpointId, receiver } = await newSending();
  await addPending(slow.endpointId, 600);
  await addPending(endpointId, 100, new Date(Date.now() - 1000));
  const loop = startLoop(jobs, { isAlone: false });
  await receivedBy(receiver.received, 100);
  expect(slow.receiver.received).toHaveLength(5);
  await loop.stop({ graceMs: 0 });
});

/** Claims as a process with 128 places does, until nothing more is given. Returns what each has. */
async function fill(slow = createSlowAccounts()): Promise<Map<string, number>> {
  const all: Claimed[] = [];
  const held = () => all.map(({ accountId }) => ({ accountId, forMs: 0 }));
  for (;;) {
    const free = webhookLimits.inFlightPerProcess - all.length;
    const claimed = free > 0 ? await claimAt({ free, underWay: slow.shares(held()) }) : [];
    if (claimed.length === 0) return createSlowAccounts().shares(held());
    all.push(...claimed);
  }
}

test('an account may have as many places of a process as it leaves free', async () => {
  const slow = await Promise.all([newSending(), newSending(), newSending()]);
  for (const one of slow) await withBacklog(one, 30);
  const underWay = await fill();
  expect([...underWay.values()]).toEqual([32, 32, 32]);

  const quiet = await newSending();
  await quiet.write();
  const claimed = await claimAt({ free: 32, underWay });
  expect(claimed.map(({ accountId }) => accountId)).toEqual([quiet.tenant.accountId]);
});

test('test data takes the places of the account that it belongs to', async () => {
  const [live, test] = [await newSending(), await newSending()];
  for (const one of [live, test]) await withBacklog(one, 30);
  await database().user.update({
    where: { id: test.tenant.accountId },
    data: { liveUserId: live.tenant.accountId },
  });
  const half = webhookLimits.inFlightPerProcess / 2;
  expect([...(await fill())]).toEqual([[live.tenant.accountId, half]]);
});

test('accounts whose receivers are slow leave a quarter of the places to others, however many they are', async () => {
  const { slowAttemptMs, inFlightPerProcess, keptFromSlow } = webhookLimits;
  const slow = createSlowAccounts();
  const many = await Promise.all(Array.from({ length: 8 }, () => newSending()));
  for (const one of many) {
    await withBacklog(one, 6);
    slow.note(one.tenant.accountId, slowAttemptMs);
  }
  const quick = await newSending();
  const underWay = await fill(slow);
  const taken = [...underWay.values()].reduce((sum, count) => sum + count, 0);
  expect(taken).toBe(inFlightPerProcess - keptFromSlow);
  await withBacklog(quick, 6);
  slow.note(quick.tenant.accountId, slowAttemptMs - 1);
  const held = [...underWay].flatMap(([accountId, count]) =>
    Array.from({ length: count }, () => ({ accountId, forMs: 0 })),
  );
  const claimed = await claimAt({ free: keptFromSlow, underWay: slow.shares(held) });
  expect(new Set(claimed.map(({ accountId }) => accountId))).toEqual(
    new Set([quick.tenant.accountId]),
  );
});

test('an account is slow once an attempt has been under way for long, and while it is remembered', () => {
  const { slowAttemptMs, keptFromSlow } = webhookLimits;
  const slow = createSlowAccounts();
  const held = (forMs: number) => [{ accountId: 'a', forMs }];
  expect(slow.shares(held(slowAttemptMs - 1))).toEqual(new Map([['a', 1]]));
  expect(slow.shares(held(slowAttemptMs))).toEqual(new Map([['a', keptFromSlow]]));
  expect(slow.shares([])).toEqual(new Map([['a', keptFromSlow]]));
});

test('an account alone has all that its endpoints may have', async () => {
  const only = await newSending();
  await withBacklog(only, 30);
  expect([...(await fill()).values()]).toEqual([50]);
});

test('places that were left for the sake of others are asked for again at once', async () => {
  const { endpointId } = await newSending();
  await addPending(endpointId, 3);
  const ids = { token: randomUUID(), start: randomUUID() };
  const { claimed, mayHaveMore } = await claimDue({ free: 3, underWay: new Map(), ...ids });
  expect({ claimed: claimed.length, mayHaveMore }).toEqual({ claimed: 2, mayHaveMore: true });
});

test("three accounts whose thirty receivers hang delay no other account's delivery", async () => {
  let ended = 0;
  const hang = (response: ServerResponse) => {
    response.on('close', () => {
      ended += 1;
    });
  };
  const slow = await Promise.all([newSending(hang), newSending(hang), newSending(hang)]);
  for (const one of slow) await withBacklog(one, 20);
  const quiet = await newSending();
  const loop = startLoop(jobs, { isAlone: false });
  for (const { receiver } of slow) await receivedBy(receiver.received, 32);
  await quiet.write();
  await receivedBy(quiet.receiver.received, 1);
  expect(ended).toBe(0);
  expect(slow.map(({ receiver }) => receiver.received.length)).toEqual([32, 32, 32]);
  await loop.stop({ graceMs: 0 });
});

test('an endpoint alone with a backlog is sent all of it', async () => {
  const { endpointId, receiver } = await newSending();
  await addPending(endpointId, 120);
  expect(await drainAt()).toBe(120);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(120);
});

async function receivedBy(received: Received[], count: number): Promise<void> {
  while (received.length < count) await new Promise((done) => setTimeout(done, 5));
}

import { randomUUID } from 'node:crypto';
import { startLoop } from '@/src/background/loop';
import { database } from '@/src/database/client';
import { jobs } from '@/src/jobs';
import { type Claimed, claimDue } from '@/src/webhooks/claim';
import { addPending } from './backlog';
import { withOwnDatabase } from './own-database';
import type { Received } from './receiver';
import { drainAt, newSending } from './sending';

withOwnDatabase();

const claim = (limit = 128) => claimDue({ limit, token: randomUUID(), start: randomUUID() });

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
      SET lease_token = NULL, leased_until = NULL`;
  }
});

test("a receiver that hangs delays no other account's deliveries", async () => {
  const slow = await newSending(() => {});
  const { endpointId, receiver } = await newSending();
  await addPending(slow.endpointId, 600);
  await addPending(endpointId, 100, new Date(Date.now() - 1000));
  const loop = startLoop(jobs);
  await receivedBy(receiver.received, 100);
  expect(slow.receiver.received).toHaveLength(5);
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

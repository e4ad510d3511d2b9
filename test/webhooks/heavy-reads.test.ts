import { setImmediate } from 'node:timers/promises';
import { database } from '@/src/database/client';
import { createAccount, createTenant } from '../helpers/accounts';
import { holdHeavyReads } from '../helpers/heavy-reads';
import { somewhere, webhooksOf } from './dashboard';

async function createEndpoint() {
  const { endpoints, deliveries } = webhooksOf(await createAccount());
  const { id } = await endpoints.create({ url: somewhere, event_types: ['testimonial.created'] });
  return { id, deliveries };
}

test('what is looked for among deliveries takes its turn too, and plain pages do not', async () => {
  const { id, deliveries } = await createEndpoint();
  const page = { endpoint_id: id };
  const filters = [
    { state: 'failed' as const },
    { event_type: 'testimonial.created' as const },
    { resource_id: id },
  ];
  const reads = holdHeavyReads();
  const lists = filters.map((filter) => deliveries.list({ ...page, ...filter }));
  while (reads.begun() < 2) await setImmediate();
  expect((await deliveries.list(page)).data).toEqual([]);
  expect(reads.begun()).toBe(2);
  reads.release();
  expect((await Promise.all(lists)).map(({ data }) => data)).toEqual([[], [], []]);
  expect(reads.begun()).toBe(3);
});

test('so does what counts and sends again what has failed', async () => {
  const { id, deliveries } = await createEndpoint();
  const asked = { endpoint_id: id, since: '2026-01-01T00:00:00Z' };
  const reads = holdHeavyReads();
  const counts = [1, 2, 3].map(() => deliveries.countReplayable(asked));
  while (reads.begun() < 2) await setImmediate();
  let isReplayed = false;
  const replayed = deliveries.replayFailed(asked).finally(() => {
    isReplayed = true;
  });
  expect((await deliveries.list({ endpoint_id: id })).data).toEqual([]);
  expect([reads.begun(), isReplayed]).toEqual([2, false]);
  reads.release();
  expect(await Promise.all(counts)).toEqual(Array(3).fill({ count: 0, has_more: false }));
  expect(await replayed).toEqual({ replayed: 0, has_more: false });
});

test('nothing is sent again to an endpoint that was paused while that waited for its turn', async () => {
  const { id, deliveries } = await createEndpoint();
  const asked = { endpoint_id: id, since: '2026-01-01T00:00:00Z' };
  const reads = holdHeavyReads();
  const counts = [1, 2].map(() => deliveries.countReplayable(asked));
  while (reads.begun() < 2) await setImmediate();
  const replayed = deliveries.replayFailed(asked);
  await deliveries.list({ endpoint_id: id });
  await database().webhookEndpoint.update({ where: { id }, data: { enabled: false } });
  reads.release();
  await Promise.all([
    ...counts,
    expect(replayed).rejects.toMatchObject({ apiCode: 'WEBHOOK_ENDPOINT_PAUSED' }),
  ]);
});

test('lists of endpoints take their turn among the heavy reads of the account', async () => {
  const tenant = await createTenant();
  const other = await createTenant();
  const reads = holdHeavyReads();
  const lists = [1, 2, 3].map(() => tenant.api.get('/webhook-endpoints'));
  while (reads.begun() < 2) await setImmediate();
  expect((await other.api.get('/webhook-endpoints')).status).toBe(200);
  // Two of the one account, one of the other.
  expect(reads.begun()).toBe(3);
  reads.release();
  expect((await Promise.all(lists)).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(reads.begun()).toBe(4);
});

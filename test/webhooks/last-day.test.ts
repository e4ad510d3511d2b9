import { setImmediate } from 'node:timers/promises';
import { webhookLimits } from '@/src/webhooks/limits';
import { createAccount, createTenant } from '../helpers/accounts';
import { holdHeavyReads } from '../helpers/heavy-reads';
import { addPending } from './backlog';
import { somewhere, webhooksOf } from './dashboard';

const { countedDeliveries } = webhookLimits;

test('of the deliveries of a day as many are counted as the limit says, and the rest read by nobody', async () => {
  const { endpoints } = webhooksOf(await createAccount());
  const made = { url: somewhere, event_types: ['testimonial.created' as const] };
  const [many, few] = [await endpoints.create(made), await endpoints.create(made)];
  await addPending(many.id, countedDeliveries + 1);
  await addPending(few.id, 3);
  const ofNone = { succeeded: 0, failed: 0, success_share: null };
  const days = [
    { pending: 3, ...ofNone },
    { pending: countedDeliveries, ...ofNone },
  ];
  expect((await endpoints.list()).map(({ last_day }) => last_day)).toEqual(days);
  expect((await endpoints.get({ id: many.id })).last_day).toEqual(days[1]);
});

test('lists of endpoints take their turn among the heavy reads of the account', async () => {
  const tenant = await createTenant();
  const other = await createTenant();
  const reads = holdHeavyReads(2);
  const lists = [1, 2, 3].map(() => tenant.api.get('/webhook-endpoints'));
  while (reads.begun() < 2) await setImmediate();
  expect((await other.api.get('/webhook-endpoints')).status).toBe(200);
  // Two of the one account, one of the other.
  expect(reads.begun()).toBe(3);
  reads.release();
  expect((await Promise.all(lists)).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(reads.begun()).toBe(4);
});

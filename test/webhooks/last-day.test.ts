import { webhookLimits } from '@/src/webhooks/limits';
import { createAccount } from '../helpers/accounts';
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

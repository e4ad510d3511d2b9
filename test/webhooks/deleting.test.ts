import { commandLine } from '@/src/audit/actor';
import { database } from '@/src/database/client';
import { directWriter, type Writer } from '@/src/database/writer';
import { deleteEndpoint } from '@/src/webhooks/endpoints';
import { withOwnDatabase } from '../helpers/own-database';
import { addPending } from './backlog';
import { newSending } from './sending';

withOwnDatabase();

/** Writes as often as it says, and then as one whose process has died. */
function dyingAfter(writes: number): Writer {
  let left = writes;
  const write: Writer['write'] = async (statement, options) => {
    left -= 1;
    if (left < 0) throw new Error('Killed');
    return directWriter.write(statement, options);
  };
  return { ...directWriter, write };
}

const deliveries = () => database().webhookDelivery.count();

test('an endpoint is deleted with all of its deliveries, some at a time, and told of once', async () => {
  const { endpointId, webhooks } = await newSending();
  const { endpointId: another } = await newSending();
  await addPending(endpointId, 1200);
  await addPending(another, 3);
  await webhooks.endpoints.delete({ id: endpointId });
  expect(await webhooks.endpoints.list()).toEqual([]);
  expect(await deliveries()).toBe(3);
  const actions = await database().auditEntry.findMany({
    where: { subjectId: endpointId, action: { not: 'created' } },
    select: { action: true },
  });
  expect(actions.map(({ action }) => action)).toEqual(['deleted']);
});

test('one whose deletion was broken off is paused, and deleted by the next', async () => {
  const { endpointId: id, webhooks, tenant } = await newSending();
  await addPending(id, 1200);
  const broken = deleteEndpoint(tenant.accountId, id, commandLine, dyingAfter(2));
  await expect(broken).rejects.toThrow('Killed');
  expect(await webhooks.endpoints.get({ id })).toMatchObject({ status: 'paused' });
  expect(await deliveries()).toBe(700);
  await webhooks.endpoints.delete({ id });
  expect([await webhooks.endpoints.list(), await deliveries()]).toEqual([[], 0]);
});

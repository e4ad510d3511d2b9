import { randomUUID } from 'node:crypto';
import { database } from '@/src/database/client';
import { Prisma } from '@/src/database/generated/client';
import {
  announceDue,
  hasWorker,
  hearDue,
  setListener,
  setRelay,
  setWorker,
} from '@/src/outbox/due';
import { emit } from '@/src/outbox/emit';
import { createAccount } from '../helpers/accounts';
import { createEndpoint } from '../helpers/endpoints';
import { promised } from '../helpers/promised';

/** An expression with a row for one event about a resource that is no testimonial. */
function about(name: string, accountId: string, resourceId: string, sequence: number): Prisma.Sql {
  return Prisma.sql`${Prisma.raw(name)} AS (
    SELECT ${accountId}::uuid AS user_id, ${resourceId}::uuid AS resource_id,
      ${sequence}::int AS sequence, ${JSON.stringify({ name })}::json AS data
  )`;
}

function deliveriesOf(accountId: string) {
  return database().webhookDelivery.findMany({
    where: { event: { userId: accountId } },
    select: { endpointId: true, event: { select: { type: true, resourceId: true, data: true } } },
    orderBy: [{ event: { type: 'asc' } }, { event: { sequence: 'asc' } }],
  });
}

test('a statement emits several events, from one source and from several, about any resource', async () => {
  const accountId = await createAccount();
  const other = await createAccount();
  const created = await createEndpoint(accountId, ['testimonial.created']);
  const deleted = await createEndpoint(accountId, ['testimonial.deleted']);
  await createEndpoint(other, ['testimonial.created', 'testimonial.deleted']);
  const [first, second] = [randomUUID(), randomUUID()];
  await database().$executeRaw`
    WITH ${about('one', accountId, first, 1)}, ${about('two', accountId, second, 7)},
    ${emit(['testimonial.created', 'one'], ['testimonial.deleted', 'one'], ['testimonial.created', 'two'])}
    SELECT 1`;
  const [one, two] = [{ name: 'one' }, { name: 'two' }];
  const type = 'testimonial.created';
  expect(await deliveriesOf(accountId)).toEqual([
    { endpointId: created, event: { type, resourceId: first, data: one } },
    { endpointId: created, event: { type, resourceId: second, data: two } },
    { endpointId: deleted, event: { type: 'testimonial.deleted', resourceId: first, data: one } },
  ]);
  expect(await deliveriesOf(other)).toEqual([]);
});

test('a statement that emits twice is refused, rather than number two events alike', async () => {
  const accountId = await createAccount();
  const twice = database().$executeRaw`
    WITH ${about('one', accountId, randomUUID(), 1)},
    ${emit(['testimonial.created', 'one'])},
    ${emit(['testimonial.deleted', 'one'])}
    SELECT 1`;
  await expect(twice).rejects.toThrow('specified more than once');
});

describe('what is said to be due', () => {
  afterEach(() => setWorker(() => {}));

  test('is done by the worker of the process, and the promise lasts as long', async () => {
    const { promise: work, resolve: finish } = promised<void>();
    setWorker(() => work);
    let isOver = false;
    const announced = announceDue().then(() => {
      isOver = true;
    });
    await new Promise(setImmediate);
    expect(isOver).toBe(false);
    finish();
    await announced;
  });

  test('of an account is told to who waits here and to the processes beside this one, once', async () => {
    const told: string[] = [];
    setListener((accountId) => told.push(`here ${accountId}`));
    setRelay((accountId) => told.push(`beside ${accountId}`));
    await announceDue('one');
    expect(told).toEqual(['here one', 'beside one']);
    // What they say goes to none of them again.
    hearDue('two');
    expect(told.slice(2)).toEqual(['here two']);
    await announceDue();
    expect(told).toHaveLength(3);
  });

  test('waits where the process has no worker', async () => {
    setWorker(undefined);
    expect(hasWorker()).toBe(false);
    await announceDue();
  });
});

import { randomUUID } from 'node:crypto';
import { database } from '@/src/database/client';
import { createTenant, type Tenant } from '../helpers/accounts';
import { expectError } from '../helpers/expectations';
import { insertAlike } from '../helpers/rows';
import { acceptedUuids, refusedBatchIds } from '../helpers/values';

let tenant: Tenant;
let space: { id: string; user_id: string };

beforeAll(async () => {
  tenant = await createTenant();
  space = await tenant.space();
});

function remove(testimonial_ids: unknown, more: object = {}) {
  return tenant.api.post('/testimonials/batch/delete', { testimonial_ids, ...more });
}

const insert = (count: number) => insertAlike(space, count);

function countStored(ids: string[]): Promise<number> {
  return database().testimonial.count({ where: { id: { in: ids } } });
}

test.each([1, 2, 100])('%i ids: the answer is their number, and they are gone', async (count) => {
  const [kept = '', ...ids] = await insert(count + 1);
  const { status, body } = await remove(ids);
  expect([status, body]).toEqual([200, { deleted: count }]);
  expect(await countStored(ids)).toBe(0);
  expect(await countStored([kept])).toBe(1);
});

test('ids that do not exist or belong to another account are skipped, and stay', async () => {
  const other = await createTenant();
  const foreign = await other.testimonial((await other.space()).id);
  const [id = ''] = await insert(1);
  const { status, body } = await remove([foreign.id, id, randomUUID()]);
  expect([status, body]).toEqual([200, { deleted: 1 }]);
  expect((await other.api.get(`/testimonials/${foreign.id}`)).body.data).toEqual(foreign);
  expect(await other.events()).toHaveLength(1);
});

test('nothing to delete is 200 with 0, never 404', async () => {
  const [id = ''] = await insert(1);
  await remove([id]);
  for (const ids of [[id], acceptedUuids.map(([, unknown]) => unknown)]) {
    const { status, body } = await remove(ids);
    expect([status, body]).toEqual([200, { deleted: 0 }]);
  }
});

test('an id listed twice, in whatever case, is one deletion', async () => {
  const [id = ''] = await insert(1);
  expect((await remove([id, id.toUpperCase(), id])).body).toEqual({ deleted: 1 });
});

test('other fields are ignored', async () => {
  const [id = ''] = await insert(1);
  expect((await remove([id], { status: 'spam', ids: [] })).body).toEqual({ deleted: 1 });
});

test.each(refusedBatchIds)('refused: %s', async (_name, ids) => {
  expectError(await remove(ids), 400, 'VALIDATION_ERROR');
});

test('one invalid id refuses the whole, and nothing is deleted', async () => {
  const [id = ''] = await insert(1);
  expectError(await remove([id, 'not-a-uuid']), 400, 'VALIDATION_ERROR');
  expect(await countStored([id])).toBe(1);
});

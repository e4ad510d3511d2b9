import { randomUUID } from 'node:crypto';
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

function update(testimonial_ids: unknown, status: unknown = 'approved') {
  return tenant.api.post('/testimonials/batch/update', { testimonial_ids, status });
}

const insert = (count: number) => insertAlike(space, count);

async function read(id: string) {
  return (await tenant.api.get(`/testimonials/${id}`)).body.data;
}

test.each(['pending', 'approved', 'rejected'])(
  'status %s is set whatever it was, and the answer is the rows as stored',
  async (status) => {
    const rows = [];
    for (const from of ['pending', 'approved', 'rejected']) {
      rows.push(await tenant.testimonial(space.id, { status: from, rating: 2 }));
    }
    const { status: code, body } = await update(
      rows.map(({ id }) => id),
      status,
    );
    expect([code, body]).toEqual([
      200,
      { data: rows.map((row) => ({ ...row, status, updated_at: expect.any(String) })), updated: 3 },
    ]);
    for (const [i, row] of rows.entries()) {
      expect(body.data[i].updated_at > row.updated_at).toBe(true);
      expect(await read(row.id)).toEqual(body.data[i]);
    }
  },
);

test.each([1, 2, 100])('%i ids are answered in their order', async (count) => {
  const ids = (await insert(count)).sort().reverse();
  // Neither the order of the ids nor that of the rows.
  const shuffled = [...ids.filter((_, i) => i % 3 === 1), ...ids.filter((_, i) => i % 3 !== 1)];
  const { status, body } = await update(shuffled);
  expect([status, body.updated]).toEqual([200, count]);
  expect(body.data.map((row: { id: string }) => row.id)).toEqual(shuffled);
});

test('ids that do not exist or belong to another account are skipped, and stay as they are', async () => {
  const other = await createTenant();
  const foreign = await other.testimonial((await other.space()).id);
  const [first = '', second = ''] = await insert(2);
  const { status, body } = await update([second, foreign.id, randomUUID(), first]);
  expect([status, body.updated]).toEqual([200, 2]);
  expect(body.data.map((row: { id: string }) => row.id)).toEqual([second, first]);
  expect((await other.api.get(`/testimonials/${foreign.id}`)).body.data).toEqual(foreign);
  expect(await other.events()).toHaveLength(1);
});

test('nothing to update is 200 with no rows, never 404', async () => {
  const other = await createTenant();
  const foreign = await other.testimonial((await other.space()).id);
  for (const ids of [[foreign.id], acceptedUuids.map(([, id]) => id)]) {
    const { status, body } = await update(ids);
    expect([status, body]).toEqual([200, { data: [], updated: 0 }]);
  }
});

test('an id listed twice, in whatever case, is one update', async () => {
  const [first = '', second = ''] = await insert(2);
  const { body } = await update([second, first, second.toUpperCase(), second]);
  expect(body.updated).toBe(2);
  expect(body.data.map((row: { id: string }) => row.id)).toEqual([second, first]);
});

test('a row listed is changed, another is not', async () => {
  const [listed = '', unlisted = ''] = await insert(2);
  const before = await read(unlisted);
  await update([listed]);
  expect(await read(unlisted)).toEqual(before);
});

test('other fields are ignored', async () => {
  const [id = ''] = await insert(1);
  const { status, body } = await tenant.api.post('/testimonials/batch/update', {
    testimonial_ids: [id],
    status: 'approved',
    rating: 6,
    text_content: 'Changed',
    ids: 'none',
  });
  expect(status).toBe(200);
  expect(body.data[0]).toMatchObject({ status: 'approved', rating: null, text_content: null });
});

test.each(refusedBatchIds)('refused: %s', async (_name, ids) => {
  expectError(await update(ids), 400, 'VALIDATION_ERROR');
});

test.each([undefined, null, '', 'Approved', 'deleted', 1, true, ['approved']])(
  'a status of %p is refused, and nothing changes',
  async (status) => {
    const [id = ''] = await insert(1);
    const body = { testimonial_ids: [id], status };
    const answer = await tenant.api.post('/testimonials/batch/update', body);
    expectError(answer, 400, 'VALIDATION_ERROR');
    expect(await read(id)).toMatchObject({ status: 'pending' });
  },
);

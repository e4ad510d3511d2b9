import { randomUUID } from 'node:crypto';
import { database } from '@/src/database/client';
import { eventTypes } from '@/src/outbox/event-types';
import { createTenant, type Tenant } from '../helpers/accounts';
import { createEndpoint } from '../helpers/endpoints';
import { expectNoContent } from '../helpers/expectations';

let tenant: Tenant;
let spaceId: string;

beforeEach(async () => {
  tenant = await createTenant();
  spaceId = (await tenant.space()).id;
});

/** The account's events in brief: type, sequence, and what the data says of the status before. */
async function brief() {
  return (await tenant.events()).map(({ type, sequence, data }) => {
    const previous = Object(data).previous_status;
    return [type, sequence, ...(previous === undefined ? [] : [previous])];
  });
}

async function lastEvent() {
  return (await tenant.events()).at(-1);
}

const update = (id: string, fields: object) => tenant.api.patch(`/testimonials/${id}`, fields);
const updateBatch = (testimonial_ids: string[], status: string) =>
  tenant.api.post('/testimonials/batch/update', { testimonial_ids, status });
const removeBatch = (testimonial_ids: string[]) =>
  tenant.api.post('/testimonials/batch/delete', { testimonial_ids });

const statuses = ['pending', 'approved', 'rejected'];

/** What `testimonial.updated` alone tells beside the row. */
const more = { transcription: 'none', language: null };

const events = [
  ['approved', 'testimonial.approved'],
  ['rejected', 'testimonial.rejected'],
] as const;

describe('create', () => {
  test.each(statuses)('with status %s fires testimonial.created alone', async (status) => {
    const row = await tenant.testimonial(spaceId, { status, rating: 5, text_content: 'é "😀"\n' });
    expect(await tenant.events()).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        userId: tenant.accountId,
        type: 'testimonial.created',
        resourceId: row.id,
        sequence: 1,
        data: row,
        isTest: false,
        position: 2n,
        createdAt: expect.any(Date),
      },
    ]);
  });
});

describe('update', () => {
  test.each(events.flatMap(([to, type]) => statuses.map((from) => [to, from, type] as const)))(
    'to %s, also from %s, fires %s with the answer and the status before',
    async (to, from, type) => {
      const { id } = await tenant.testimonial(spaceId, { status: from });
      const { body } = await update(id, { status: to });
      expect(await brief()).toEqual([
        ['testimonial.created', 1],
        [type, 2, from],
      ]);
      expect((await lastEvent())?.data).toEqual({ ...body.data, previous_status: from });
    },
  );

  test.each(statuses)('from %s to pending fires testimonial.updated', async (status) => {
    const { id } = await tenant.testimonial(spaceId, { status });
    const { body } = await update(id, { status: 'pending' });
    expect(await brief()).toEqual([
      ['testimonial.created', 1],
      ['testimonial.updated', 2, status],
    ]);
    expect((await lastEvent())?.data).toEqual({ ...body.data, ...more, previous_status: status });
  });

  test('without a status fires testimonial.updated', async () => {
    const { id } = await tenant.testimonial(spaceId, { status: 'approved' });
    const changes = { rating: 1, text_content: 'New', submitter_role: 'R' };
    const { body } = await update(id, changes);
    expect(await brief()).toEqual([
      ['testimonial.created', 1],
      ['testimonial.updated', 2, 'approved'],
    ]);
    expect((await lastEvent())?.data).toEqual({
      ...body.data,
      ...more,
      previous_status: 'approved',
    });
  });

  test('of a status and other fields fires one event, with all of them', async () => {
    const { id } = await tenant.testimonial(spaceId);
    await update(id, { status: 'approved', rating: 1, text_content: 'New' });
    const { data } = (await lastEvent()) ?? {};
    expect(data).toMatchObject({ status: 'approved', rating: 1, text_content: 'New' });
    expect(await brief()).toHaveLength(2);
  });

  test('that is refused or finds no row fires nothing', async () => {
    const { id } = await tenant.testimonial(spaceId);
    await update(id, { status: 'approved', rating: 6 });
    await update(randomUUID(), { status: 'approved' });
    expect(await brief()).toEqual([['testimonial.created', 1]]);
  });
});

describe('batch update', () => {
  test.each(events)('to %s fires %s once per row, with the row as answered', async (to, type) => {
    const rows = [];
    for (const status of statuses) rows.push(await tenant.testimonial(spaceId, { status }));
    const ids = rows.map(({ id }) => id);
    const [twice = ''] = ids;
    const { body } = await updateBatch([...ids, randomUUID(), twice], to);
    const fired = (await tenant.events()).slice(3);
    expect(fired.map(({ type: t, sequence }) => [t, sequence])).toEqual(Array(3).fill([type, 2]));
    const byId = new Map(fired.map(({ resourceId, data }) => [resourceId, data]));
    for (const [i, row] of rows.entries()) {
      expect(byId.get(row.id)).toEqual({ ...body.data[i], previous_status: statuses[i] });
    }
  });

  test('to pending fires testimonial.updated', async () => {
    const { id } = await tenant.testimonial(spaceId, { status: 'approved' });
    await updateBatch([id], 'pending');
    expect(await brief()).toEqual([
      ['testimonial.created', 1],
      ['testimonial.updated', 2, 'approved'],
    ]);
  });

  test('that is refused fires nothing', async () => {
    const { id } = await tenant.testimonial(spaceId);
    await updateBatch([id, 'no-uuid'], 'approved');
    expect(await brief()).toEqual([['testimonial.created', 1]]);
  });
});

describe('delete', () => {
  test.each([
    ['single', (id: string) => tenant.api.delete(`/testimonials/${id}`)],
    ['batch', (id: string) => removeBatch([id, id, randomUUID()])],
  ])('%s fires testimonial.deleted once, with the row as it was', async (_name, remove) => {
    const { id } = await tenant.testimonial(spaceId, { rating: 2 });
    const { body } = await update(id, { status: 'approved' });
    await remove(id);
    expect(await brief()).toEqual([
      ['testimonial.created', 1],
      ['testimonial.approved', 2, 'pending'],
      ['testimonial.deleted', 3],
    ]);
    expect((await lastEvent())?.data).toEqual(body.data);
    await remove(id);
    expect(await brief()).toHaveLength(3);
  });

  test('of many fires once per row', async () => {
    const rows = [await tenant.testimonial(spaceId), await tenant.testimonial(spaceId)];
    await removeBatch(rows.map(({ id }) => id));
    const deleted = (await tenant.events()).filter(({ type }) => type === 'testimonial.deleted');
    expect(new Set(deleted.map(({ resourceId }) => resourceId))).toEqual(
      new Set(rows.map(({ id }) => id)),
    );
    expect(deleted).toHaveLength(2);
  });
});

test('the events of one testimonial are counted without a gap', async () => {
  const { id } = await tenant.testimonial(spaceId);
  for (const status of ['approved', 'pending', 'approved', 'rejected'])
    await update(id, { status });
  await updateBatch([id], 'rejected');
  await update(id, { rating: 1 });
  await tenant.api.delete(`/testimonials/${id}`);
  expect(await brief()).toEqual([
    ['testimonial.created', 1],
    ['testimonial.approved', 2, 'pending'],
    ['testimonial.updated', 3, 'approved'],
    ['testimonial.approved', 4, 'pending'],
    ['testimonial.rejected', 5, 'approved'],
    ['testimonial.rejected', 6, 'rejected'],
    ['testimonial.updated', 7, 'rejected'],
    ['testimonial.deleted', 8],
  ]);
});

describe('spaces', () => {
  test('fire space.created, space.updated and space.deleted, counted by space', async () => {
    const space = await tenant.space({ name: 'é "😀"', custom_questions: ['Why?'] });
    const { body } = await tenant.api.patch(`/spaces/${space.id}`, { name: 'Renamed' });
    await tenant.api.patch(`/spaces/${space.id}`, { name: 'x'.repeat(101) });
    expectNoContent(await tenant.api.delete(`/spaces/${space.id}`));
    expectNoContent(await tenant.api.delete(`/spaces/${space.id}`));
    const fired = (await tenant.events('everything')).filter(
      ({ resourceId }) => resourceId === space.id,
    );
    expect(fired.map(({ type, sequence, data }) => [type, sequence, data])).toEqual([
      ['space.created', 1, space],
      ['space.updated', 2, body.data],
      ['space.deleted', 3, body.data],
    ]);
  });

  test('under a taken slug fire one event', async () => {
    const spaces = [await tenant.space({ name: 'Twice' }), await tenant.space({ name: 'Twice' })];
    const fired = (await tenant.events('everything')).slice(1);
    expect(fired.map(({ resourceId, data }) => [resourceId, data])).toEqual(
      spaces.map((space) => [space.id, space]),
    );
  });

  test('take their testimonials along without events; earlier events stay', async () => {
    await tenant.testimonial(spaceId);
    expectNoContent(await tenant.api.delete(`/spaces/${spaceId}`));
    expect((await tenant.events('everything')).map(({ type }) => type)).toEqual([
      'space.created',
      'testimonial.created',
      'space.deleted',
    ]);
  });
});

describe('deliveries', () => {
  test('one is pending per event and endpoint that is enabled and chose the event', async () => {
    const { accountId } = tenant;
    const all = await createEndpoint(accountId, [...eventTypes]);
    const approvals = await createEndpoint(accountId, ['testimonial.approved']);
    await createEndpoint(accountId, [...eventTypes], { enabled: false });
    await createEndpoint(accountId, []);
    await createEndpoint((await createTenant()).accountId, [...eventTypes]);

    const rows = [await tenant.testimonial(spaceId), await tenant.testimonial(spaceId)];
    const ids = rows.map(({ id }) => id);
    await updateBatch(ids, 'approved');
    await removeBatch(ids);

    const deliveries = await database().webhookDelivery.findMany({
      where: { event: { userId: accountId } },
      include: { event: true },
    });
    const queued = deliveries.map(({ endpointId, event: { type, resourceId }, state }) => {
      const endpoint = { [all]: 'all', [approvals]: 'approvals' }[endpointId];
      return `${endpoint} ${type} ${ids.indexOf(resourceId)} ${state}`;
    });
    expect(queued.sort()).toEqual([
      'all testimonial.approved 0 pending',
      'all testimonial.approved 1 pending',
      'all testimonial.created 0 pending',
      'all testimonial.created 1 pending',
      'all testimonial.deleted 0 pending',
      'all testimonial.deleted 1 pending',
      'approvals testimonial.approved 0 pending',
      'approvals testimonial.approved 1 pending',
    ]);
  });
});

import { randomBytes } from 'node:crypto';
import { database } from '@/src/database/client';
import { eventTypes } from '@/src/outbox/event-types';
import { createTenant, minimalTestimonial, type Tenant } from '../helpers/accounts';
import { createEndpoint } from '../helpers/endpoints';
import { expectError } from '../helpers/expectations';

let tenant: Tenant;
let spaceId: string;

beforeEach(async () => {
  tenant = await createTenant();
  spaceId = (await tenant.space()).id;
});

const approve = (id: string) => tenant.api.patch(`/testimonials/${id}`, { status: 'approved' });
const updateBatch = (id: string, status: string) =>
  tenant.api.post('/testimonials/batch/update', { testimonial_ids: [id], status });

async function eventsSoFar(): Promise<string[]> {
  return (await tenant.events()).map(({ type, sequence }) => `${sequence} ${type}`);
}

/** While `run` runs, the table takes no new or changed row of the account. */
async function refusing(
  table: 'testimonials' | 'webhook_events' | 'webhook_deliveries',
  run: () => Promise<void>,
): Promise<void> {
  const name = `refused_${randomBytes(6).toString('hex')}`;
  const condition =
    table === 'webhook_deliveries'
      ? `endpoint_id <> '${await createEndpoint(tenant.accountId, [...eventTypes])}'`
      : `user_id <> '${tenant.accountId}'`;
  await database().$executeRawUnsafe(
    `ALTER TABLE ${table} ADD CONSTRAINT ${name} CHECK (${condition}) NOT VALID`,
  );
  try {
    await run();
  } finally {
    await database().$executeRawUnsafe(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  }
}

test.each(['webhook_events', 'webhook_deliveries'] as const)(
  'where %s cannot be written, nothing is changed',
  async (table) => {
    const row = await tenant.testimonial(spaceId);
    await refusing(table, async () => {
      for (const answer of [
        await tenant.api.post('/testimonials', minimalTestimonial(spaceId)),
        await approve(row.id),
        await updateBatch(row.id, 'rejected'),
        await tenant.api.delete(`/testimonials/${row.id}`),
        await tenant.api.post('/testimonials/batch/delete', { testimonial_ids: [row.id] }),
      ]) {
        expectError(answer, 500, 'INTERNAL_ERROR');
      }
    });
    expect((await tenant.api.get('/testimonials')).body.data).toEqual([row]);
    expect(await eventsSoFar()).toEqual(['1 testimonial.created']);
  },
);

test('where the testimonial cannot be written, there is no event', async () => {
  const row = await tenant.testimonial(spaceId);
  await refusing('testimonials', async () => {
    expectError(await approve(row.id), 500, 'INTERNAL_ERROR');
    expectError(await updateBatch(row.id, 'approved'), 500, 'INTERNAL_ERROR');
  });
  expect(await eventsSoFar()).toEqual(['1 testimonial.created']);
});

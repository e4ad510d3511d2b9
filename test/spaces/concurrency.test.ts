import { randomUUID } from 'node:crypto';
import { database, disconnect } from '@/src/database/client';
import { directWriter } from '@/src/database/writer';
import { provideEnv } from '@/src/env';
import { log } from '@/src/logging/log';
import { deleteSpace, updateSpace } from '@/src/spaces/spaces';
import { createTestimonialInput } from '@/src/testimonials/schema';
import { createTestimonial } from '@/src/testimonials/testimonials';
import { createTenant, minimalTestimonial } from '../helpers/accounts';
import { onServer, untilSomebodyWaits, withHolder } from '../helpers/locks';
import { insertTestimonials } from '../helpers/rows';

/** As many as four processes, each of which writes four things of an account at once. */
const connections = 16;

beforeAll(async () => {
  await disconnect();
  provideEnv({ DATABASE_POOL_SIZE: String(connections) });
});

onServer(
  'changes of a space, and creates in it, by several processes at once: none ends in a deadlock',
  async () => {
    const tenant = await createTenant();
    const { accountId } = tenant;
    const { id } = await tenant.space();
    const rename = (round: number) =>
      updateSpace(accountId, id, { name: `Name ${round}` }, directWriter);
    const input = createTestimonialInput.parse(minimalTestimonial(id));
    const create = () => createTestimonial(accountId, input, directWriter);
    const warned = jest.spyOn(log(), 'warn');
    const rounds = 60;
    const times = async (task: (round: number) => Promise<unknown>) => {
      for (let round = 0; round < rounds; round += 1) await task(round);
    };
    const both = Array.from({ length: connections / 2 }, () => [times(rename), times(create)]);
    const ends = await Promise.allSettled(both.flat());
    expect(ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))).toEqual([]);
    // One that was ended, and done again, says so.
    expect(warned.mock.calls).toEqual([]);
    const created = await database().testimonial.count({ where: { space_id: id } });
    const updated = (await tenant.events('everything')).filter(
      ({ type }) => type === 'space.updated',
    );
    expect([created, updated.length]).toEqual([8 * rounds, 8 * rounds]);
  },
);

onServer(
  'a deletion takes the testimonials of a space in the order of batches, and waits in no circle with one',
  async () => {
    const tenant = await createTenant();
    const space = await tenant.space();
    const ids: string[] = Array.from({ length: 3 }, () => randomUUID());
    const [least = '', ...others] = [...ids].sort();
    // From whichever end they are read, one of the others comes before the least.
    const inTime = [others[0] ?? '', least, others[1] ?? ''];
    await insertTestimonials(
      space,
      inTime.map((id, day) => ({ id, created_at: `2026-01-1${day}T00:00:00Z` })),
    );
    await withHolder(async (batch) => {
      await batch.query('SELECT FROM testimonials WHERE id = $1 FOR UPDATE', [least]);
      const deleted = deleteSpace(tenant.accountId, space.id);
      await untilSomebodyWaits(batch);
      const next = 'SELECT FROM testimonials WHERE id = ANY ($1) FOR UPDATE NOWAIT';
      expect((await batch.query(next, [others])).rowCount).toBe(2);
      await batch.query('COMMIT');
      await deleted;
    });
    expect(await database().testimonial.count({ where: { space_id: space.id } })).toBe(0);
  },
);

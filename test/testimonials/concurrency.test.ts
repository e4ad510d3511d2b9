import { database } from '@/src/database/client';
import { eventTypes } from '@/src/outbox/event-types';
import type { Testimonial } from '@/src/testimonials/schema';
import { createTenant, minimalTestimonial, type Tenant } from '../helpers/accounts';
import type { Answer } from '../helpers/client';
import { createEndpoint } from '../helpers/endpoints';
import { insertAlike } from '../helpers/rows';

// An embedded database runs one statement at a time; on a server these really meet.

const rounds = 3;
const eachRound = Array.from({ length: rounds }, (_, i) => [i + 1]);

let tenant: Tenant;
let space: { id: string; user_id: string };
let ids: string[];

beforeEach(async () => {
  tenant = await createTenant();
  space = await tenant.space();
  ids = (await insertAlike(space, 40)).sort();
});

const updateBatch = (testimonial_ids: string[], status: string) =>
  tenant.api.post('/testimonials/batch/update', { testimonial_ids, status });
const removeBatch = (testimonial_ids: string[]) =>
  tenant.api.post('/testimonials/batch/delete', { testimonial_ids });
const update = (id: string, fields: object) => tenant.api.patch(`/testimonials/${id}`, fields);
const remove = (id: string) => tenant.api.delete(`/testimonials/${id}`);
const create = () => tenant.api.post('/testimonials', minimalTestimonial(space.id));

/**
 * Runs `send` while one row in the middle is locked, until what it sent waits for one another and
 * for that row; then lets go. Otherwise most of the requests would be over before the next began.
 */
async function pileUp<T>(send: () => Promise<T>): Promise<T> {
  const answers = await database().$transaction(async (transaction) => {
    await transaction.$queryRaw`SELECT FROM testimonials WHERE id = ${ids[20]}::uuid FOR UPDATE`;
    // In an array, so that the transaction does not wait for it.
    const sent = [send()];
    // Three, because the pool has four connections left. Embedded, nothing ever waits this way.
    for (let polls = 0, waiting = 0; waiting < 3 && polls < 50; polls++) {
      const [locks] = await transaction.$queryRaw<{ waiting: number }[]>`
        SELECT count(*)::int AS waiting FROM pg_locks WHERE NOT granted`;
      waiting = locks?.waiting ?? 0;
    }
    return sent;
  });
  const [answer] = await Promise.all(answers);
  if (answer === undefined) throw new Error('Nothing was sent');
  return answer;
}

/** The same ids from the other end, and from the middle. */
function orders(): [string[], string[], string[]] {
  return [ids, [...ids].reverse(), [...ids.slice(20), ...ids.slice(0, 20)]];
}

function statusesOf(answers: Answer[]): number[] {
  return [...new Set(answers.map(({ status }) => status))].sort();
}

/** The rows that answers of single and of batch updates hold. */
function rowsOf(answers: Answer[]): Testimonial[] {
  return answers.flatMap(({ body }) => body?.data ?? []);
}

function countBy(values: (string | number)[], wanted: string | number): number {
  return values.filter((value) => value === wanted).length;
}

type EventData = Testimonial & { previous_status?: string };

/** The account's events of each testimonial, in their sequence. */
async function chains() {
  const byId = new Map<string, { type: string; sequence: number; data: EventData }[]>();
  for (const { resourceId, type, sequence, data } of await tenant.events()) {
    const chain = byId.get(resourceId) ?? [];
    chain.push({ type, sequence, data: Object(data) });
    byId.set(resourceId, chain);
  }
  for (const chain of byId.values()) chain.sort((a, b) => a.sequence - b.sequence);
  return byId;
}

describe('updates of the same rows in opposite orders', () => {
  test.each(eachRound)('are each true to what was stored at their moment, round %i', async () => {
    await createEndpoint(tenant.accountId, [...eventTypes]);
    const [forth, back, middle] = orders();
    const answers = await pileUp(() =>
      Promise.all([
        updateBatch(forth, 'approved'),
        updateBatch(back, 'rejected'),
        ...ids.slice(15, 25).map((id) => update(id, { status: 'rejected' })),
        updateBatch(middle, 'approved'),
        updateBatch(back, 'approved'),
        updateBatch(forth, 'rejected'),
      ]),
    );
    expect(statusesOf(answers)).toEqual([200]);
    const answered = rowsOf(answers);
    expect(answered).toHaveLength(5 * 40 + 10);

    // One event per answered row, with that row; together they tell the row's whole history.
    const stored = await chains();
    const emitted = [...stored.values()]
      .flat()
      .map(({ data: { previous_status: _, ...row } }) => row);
    const texts = (rows: object[]) => rows.map((row) => JSON.stringify(row)).sort();
    expect(texts(emitted)).toEqual(texts(answered));
    const rows: Testimonial[] = (await tenant.api.get('/testimonials')).body.data;
    for (const row of rows) {
      const chain = stored.get(row.id) ?? [];
      const { previous_status: _, ...last } = chain.at(-1)?.data ?? {};
      expect(last).toEqual(row);
      expect(chain.map(({ sequence }) => sequence)).toEqual(chain.map((_, i) => i + 1));
      expect(chain.map(({ data }) => data.previous_status)).toEqual([
        'pending',
        ...chain.slice(0, -1).map(({ data }) => data.status),
      ]);
      const moments = chain.map(({ data }) => data.updated_at);
      expect(moments).toEqual([...new Set(moments)].sort());
    }
    const events = (await tenant.events()).length;
    const deliveries = await database().webhookDelivery.count({
      where: { event: { userId: tenant.accountId } },
    });
    expect([events, deliveries]).toEqual([answered.length, answered.length]);
  });

  test('with different fields lose none of them', async () => {
    const [id = ''] = ids;
    const fields = {
      rating: 4,
      text_content: 'Text',
      submitter_role: 'Role',
      submitter_company: 'Company',
      status: 'approved',
    };
    const answers = await Promise.all(
      Object.entries(fields).map(([field, value]) => update(id, { [field]: value })),
    );
    expect(statusesOf(answers)).toEqual([200]);
    expect((await tenant.api.get(`/testimonials/${id}`)).body.data).toMatchObject(fields);
  });
});

describe('deletes of the same rows', () => {
  test.each(eachRound)('count each row once, beside updates, round %i', async () => {
    const [forth, back, middle] = orders();
    const [updates, singles, batches, more] = await pileUp(() =>
      Promise.all([
        Promise.all([updateBatch(back, 'approved'), updateBatch(forth, 'rejected')]),
        Promise.all(ids.slice(15, 25).flatMap((id) => [remove(id), remove(id)])),
        Promise.all([removeBatch(forth), removeBatch(back), removeBatch(middle)]),
        Promise.all(ids.slice(30).map((id) => update(id, { status: 'approved' }))),
      ]),
    );
    updates.push(...more);
    expect(statusesOf(batches)).toEqual([200]);
    expect(statusesOf(updates).every((status) => [200, 404].includes(status))).toBe(true);
    const deleted = batches.reduce((sum, { body }) => sum + body.deleted, 0);
    const codes = singles.map(({ status }) => status);
    expect(deleted + countBy(codes, 204)).toBe(40);
    expect(countBy(codes, 404)).toBe(20 - countBy(codes, 204));
    expect((await tenant.api.get('/testimonials')).body.pagination.total).toBe(0);

    const stored = await chains();
    expect(stored.size).toBe(40);
    for (const chain of stored.values()) {
      const types = chain.map(({ type }) => type);
      expect([types.at(-1), countBy(types, 'testimonial.deleted')]).toEqual([
        'testimonial.deleted',
        1,
      ]);
      expect(chain.map(({ sequence }) => sequence)).toEqual(chain.map((_, i) => i + 1));
    }
    expect([...stored.values()].flat()).toHaveLength(rowsOf(updates).length + 40);
  });
});

describe('creates', () => {
  test('at once are all stored, each once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, create));
    expect(statusesOf(answers)).toEqual([201]);
    const created = rowsOf(answers).map(({ id }) => id);
    const { data, pagination } = (await tenant.api.get('/testimonials?limit=100')).body;
    const listed: string[] = data.map(({ id }: Testimonial) => id);
    expect(pagination.total).toBe(60);
    expect(listed.filter((id) => !ids.includes(id)).sort()).toEqual(created.sort());
  });
});

describe('the delete of a space', () => {
  test.each(eachRound)(
    'beside writes leaves no row, and events of what was answered, round %i',
    async () => {
      const [forth, back, middle] = orders();
      const [first, removed, creates, removes, updates, renamed] = await pileUp(() =>
        Promise.all([
          updateBatch(back, 'approved'),
          Promise.all([1, 2].map(() => tenant.api.delete(`/spaces/${space.id}`))),
          Promise.all(Array.from({ length: 8 }, create)),
          Promise.all([removeBatch(forth.slice(5, 15)), removeBatch(back.slice(0, 10))]),
          Promise.all([
            updateBatch(middle, 'rejected'),
            ...ids.slice(0, 5).map((id) => update(id, { status: 'approved' })),
          ]),
          tenant.api.patch(`/spaces/${space.id}`, { name: 'Renamed' }),
        ]),
      );
      updates.push(first);
      expect(statusesOf(creates).every((status) => [201, 404].includes(status))).toBe(true);
      expect(statusesOf(updates).every((status) => [200, 404].includes(status))).toBe(true);
      expect(statusesOf(removes)).toEqual([200]);
      expect([200, 404]).toContain(renamed.status);
      expect(statusesOf(removed)).toEqual([204]);
      expect(await database().testimonial.count({ where: { space_id: space.id } })).toBe(0);

      const types = (await tenant.events()).map(({ type }) => type);
      const created = countBy(types, 'testimonial.created');
      const deleted = countBy(types, 'testimonial.deleted');
      expect({ created, deleted, updated: types.length - created - deleted }).toEqual({
        created: countBy(
          creates.map(({ status }) => status),
          201,
        ),
        deleted: removes.reduce((sum, { body }) => sum + body.deleted, 0),
        updated: rowsOf(updates).length,
      });
    },
  );
});

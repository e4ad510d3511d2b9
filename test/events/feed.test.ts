import { randomUUID } from 'node:crypto';
import { database } from '@/src/database/client';
import { emit } from '@/src/outbox/emit';
import type { EventType } from '@/src/outbox/event-types';
import { trimLog } from '@/src/webhooks/log-trimming';
import { createTenant, type Tenant } from '../helpers/accounts';
import { expectError, wireInstantPattern } from '../helpers/expectations';
import { statementsOf } from '../helpers/statements';
import { webhooksOf } from '../webhooks/dashboard';
import { follow, latestCursor, page } from './following';

let tenant: Tenant;
let spaceId: string;

beforeEach(async () => {
  tenant = await createTenant();
  spaceId = (await tenant.space()).id;
});

const dayMs = 24 * 60 * 60 * 1000;

/** Makes every event of the account so many days older. */
async function age(days: number): Promise<void> {
  await database().$executeRaw`
    UPDATE webhook_events SET created_at = created_at - make_interval(days => ${days}::int)
    WHERE user_id = ${tenant.accountId}::uuid`;
}

const trim = () => trimLog({ endAt: Date.now() + dayMs });

async function removeBackTo(cursorPosition: number): Promise<void> {
  await database().$executeRaw`
    DELETE FROM webhook_events
    WHERE user_id = ${tenant.accountId}::uuid AND position > ${cursorPosition}`;
  await database().$executeRaw`
    UPDATE users SET event_position = ${cursorPosition}, trimmed_event_position = 0
    WHERE id = ${tenant.accountId}::uuid`;
}

describe('a page', () => {
  test('has every event in the order of the changes, as a delivery has it', async () => {
    const { id } = await tenant.testimonial(spaceId);
    await tenant.api.patch(`/testimonials/${id}`, { status: 'approved' });
    const { body: answer } = await tenant.api.patch(`/testimonials/${id}`, { rating: 2 });
    await tenant.api.delete(`/spaces/${spaceId}`);
    const { body } = await page(tenant.api.get);
    expect(body.data.map(({ type, sequence }: never) => [type, sequence])).toEqual([
      ['space.created', 1],
      ['testimonial.created', 1],
      ['testimonial.approved', 2],
      ['testimonial.updated', 3],
      ['space.deleted', 2],
    ]);
    expect(body.data[3]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: 'testimonial.updated',
      timestamp: expect.stringMatching(wireInstantPattern),
      sequence: 3,
      data: {
        ...answer.data,
        transcription: 'none',
        language: null,
        previous_status: 'approved',
      },
    });
    expect(body.pagination).toEqual({ next_cursor: expect.any(String), has_more: false });
  });

  test('ends at the limit, and the next one goes on without a gap', async () => {
    for (let i = 0; i < 6; i++) await tenant.testimonial(spaceId);
    const { body: first } = await page(tenant.api.get, { limit: 3 });
    expect([first.data.length, first.pagination.has_more]).toEqual([3, true]);
    const all = (await page(tenant.api.get)).body.data;
    const inPages = await follow(tenant.api.get, undefined, { limit: 3 });
    expect(inPages.events).toEqual(all);
    expect(all).toHaveLength(7);
  });

  test('has no gap where a change was undone', async () => {
    const { accountId } = tenant;
    const undone = database().$transaction(async (transaction) => {
      await transaction.$executeRaw`
        WITH changed AS (
          SELECT ${accountId}::uuid AS user_id, gen_random_uuid() AS resource_id, 1 AS sequence,
            '{}'::json AS data
        ), ${emit(['space.updated', 'changed'])} SELECT 1`;
      throw new Error('Undone');
    });
    await expect(undone).rejects.toThrow('Undone');
    await tenant.testimonial(spaceId);
    const positions = (await tenant.events('everything')).map(({ position }) => position);
    expect(positions).toEqual([1n, 2n]);
  });

  test('that ends with the newest event says that there is no more', async () => {
    await tenant.testimonial(spaceId);
    const { body } = await page(tenant.api.get, { limit: 2 });
    expect([body.data.length, body.pagination.has_more]).toEqual([2, false]);
  });

  test('at the end is empty, and its cursor stays good', async () => {
    const cursor = await latestCursor(tenant.api.get);
    const { body } = await page(tenant.api.get, { after: cursor });
    expect(body).toEqual({ data: [], pagination: { next_cursor: cursor, has_more: false } });
    const { id } = await tenant.testimonial(spaceId);
    const { events } = await follow(tenant.api.get, body.pagination.next_cursor);
    expect(events.map(({ type, data }) => [type, data.id])).toEqual([['testimonial.created', id]]);
  });

  test('of an account without events is empty, and its cursor good for the first', async () => {
    const other = await createTenant();
    const queries: Record<string, string>[] = [{}, { after: 'latest' }];
    for (const query of queries) {
      const { body } = await page(other.api.get, query);
      expect([body.data, body.pagination.has_more]).toEqual([[], false]);
      await other.space();
      expect((await follow(other.api.get, body.pagination.next_cursor)).events).toHaveLength(1);
    }
  });

  test('begins with the oldest event where the cursor is empty', async () => {
    const tenant = await createTenant();
    await tenant.space();
    const [all, same] = [await tenant.api.get('/events'), await tenant.api.get('/events?after=')];
    expect([same.status, same.body]).toEqual([200, all.body]);
    expect(same.body.data).toHaveLength(1);
  });

  test('has the chosen types alone', async () => {
    const { id } = await tenant.testimonial(spaceId);
    await tenant.api.delete(`/testimonials/${id}`);
    const types = 'space.created,testimonial.deleted';
    const { events } = await follow(tenant.api.get, undefined, { types, limit: 1 });
    expect(events.map(({ type }) => type)).toEqual(types.split(','));
  });

  test('of rare types is looked for in parts, and its cursor goes on past the others', async () => {
    await database().$executeRaw`
      WITH added AS (
        INSERT INTO webhook_events (user_id, type, resource_id, sequence, data, position)
        SELECT ${tenant.accountId}::uuid, 'testimonial.updated', gen_random_uuid(), 1, '{}',
          1 + i FROM generate_series(1, 4500) i RETURNING 1
      )
      UPDATE users SET event_position = 1 + (SELECT count(*) FROM added),
        stored_bytes = stored_bytes + 4500 * 202
      WHERE id = ${tenant.accountId}::uuid`;
    await tenant.testimonial(spaceId);
    const sizes: number[] = [];
    let after = '';
    for (let more = true; more; ) {
      const query = { types: 'testimonial.created', ...(after && { after }) };
      const { body } = await page(tenant.api.get, query);
      sizes.push(body.data.length);
      after = body.pagination.next_cursor;
      more = body.pagination.has_more;
    }
    expect(sizes).toEqual([0, 0, 1]);
  });

  test('has no test events', async () => {
    const webhooks = webhooksOf(tenant.accountId);
    const url = 'https://receiver.example/';
    const types: EventType[] = ['testimonial.created'];
    const { id } = await webhooks.endpoints.create({ url, event_types: types });
    const { event_id } = await webhooks.endpoints.sendTest({ id });
    expect((await follow(tenant.api.get)).events).toHaveLength(1);
    expectError(await tenant.api.get(`/events/${event_id}`), 404, 'EVENT_NOT_FOUND');
  });

  test('costs one statement beside the key', async () => {
    const { key } = tenant.api;
    const after = (await page(tenant.api.get)).body.pagination.next_cursor;
    for (const query of ['', `?after=${after}`, '?after=latest']) {
      expect(await statementsOf(key, ['GET', `/events${query}`])).toHaveLength(2);
    }
  });

  test('is never kept: another follows each event, and none has a tag', async () => {
    const first = await page(tenant.api.get);
    await tenant.testimonial(spaceId);
    const second = await page(tenant.api.get);
    expect(second.body.data).toHaveLength(2);
    for (const { headers } of [first, second]) {
      expect([headers.get('etag'), headers.get('cache-control')]).toEqual([null, 'no-store']);
    }
  });
});

describe('a cursor', () => {
  test.each([
    ['no cursor', 'abc'],
    ['another form', Buffer.from('["a",1,null]').toString('base64url')],
    ['no JSON', Buffer.from('{').toString('base64url')],
    ['too long', 'a'.repeat(201)],
  ])('that is %s answers 400', async (_, after) => {
    expectError(await page(tenant.api.get, { after }), 400, 'VALIDATION_ERROR');
  });

  test('of another account answers 400', async () => {
    const after = await latestCursor((await createTenant()).api.get);
    expectError(await page(tenant.api.get, { after }), 400, 'VALIDATION_ERROR');
  });

  test('answers 410 once an event behind it is trimmed, and says to start over', async () => {
    const { cursor: early } = await follow(tenant.api.get);
    await tenant.testimonial(spaceId);
    const { cursor: late } = await follow(tenant.api.get);
    await age(31);
    await tenant.testimonial(spaceId);
    await trim();
    const answer = await page(tenant.api.get, { after: early });
    expectError(answer, 410, 'CURSOR_EXPIRED');
    expect(answer.body.error.message).toContain('Start over');
    expect((await follow(tenant.api.get, late)).events).toHaveLength(1);
    expect((await follow(tenant.api.get)).events).toHaveLength(1);
  });

  test('of a quiet account stays good, however old it is', async () => {
    const { cursor } = await follow(tenant.api.get);
    await age(400);
    await trim();
    expect((await follow(tenant.api.get, cursor)).events).toEqual([]);
    await tenant.testimonial(spaceId);
    expect((await follow(tenant.api.get, cursor)).events).toHaveLength(1);
  });

  test('stays good for 30 days', async () => {
    const cursor = await latestCursor(tenant.api.get);
    await tenant.testimonial(spaceId);
    await age(29);
    await trim();
    expect((await follow(tenant.api.get, cursor)).events).toHaveLength(1);
  });

  test('is not mistaken where an old event is kept for a paused endpoint', async () => {
    const webhooks = webhooksOf(tenant.accountId);
    const event_types: EventType[] = ['testimonial.created'];
    const input = { url: 'https://receiver.example/', event_types };
    const { id } = await webhooks.endpoints.create(input);
    await tenant.testimonial(spaceId);
    await webhooks.endpoints.update({ id, enabled: false });
    const { cursor } = await follow(tenant.api.get);
    await tenant.api.patch(`/spaces/${spaceId}`, { name: 'Renamed' });
    await age(31);
    await trim();
    expectError(await page(tenant.api.get, { after: cursor }), 410, 'CURSOR_EXPIRED');
    expect((await follow(tenant.api.get)).events).toEqual([]);
  });

  test('of what a backup has undone answers 410, also where other events have come since', async () => {
    await tenant.testimonial(spaceId);
    const { cursor } = await follow(tenant.api.get);
    await removeBackTo(1);
    expectError(await page(tenant.api.get, { after: cursor }), 410, 'CURSOR_EXPIRED');
    await tenant.testimonial(spaceId);
    await tenant.testimonial(spaceId);
    expectError(await page(tenant.api.get, { after: cursor }), 410, 'CURSOR_EXPIRED');
  });
});

describe('one event', () => {
  test('is answered by its id, as in the feed', async () => {
    await tenant.testimonial(spaceId);
    const { events } = await follow(tenant.api.get);
    expect(events).not.toEqual([]);
    for (const event of events) {
      expect((await tenant.api.get(`/events/${event.id}`)).body).toEqual({ data: event });
    }
  });

  test('that is unknown or another account’s answers 404', async () => {
    const other = await createTenant();
    await other.space();
    const [event] = (await follow(other.api.get)).events;
    for (const id of [randomUUID(), event?.id]) {
      expectError(await tenant.api.get(`/events/${id}`), 404, 'EVENT_NOT_FOUND');
    }
  });
});

test.each([
  'types=testimonial',
  'types=',
  'types=a,,b',
  'limit=0',
  'limit=101',
  'wait=21',
  'wait=-1',
])('%s answers 400', async (query) => {
  expectError(await tenant.api.get(`/events?${query}`), 400, 'VALIDATION_ERROR');
});

import { createServer } from 'node:http';
import { database } from '@/src/database/client';
import { handleNodeRequest } from '@/src/rest/node';
import { listen } from '@/test/helpers/listening';
import { CursorExpiredError, type WebhookEvent } from '../src/index.ts';
import { createClient, failure, loseAnswer, refuse, refuseConnection } from './client';

/** Reads so many events, and stops. */
async function take(feed: AsyncIterable<WebhookEvent>, count: number): Promise<string[]> {
  const types: string[] = [];
  for await (const { type } of feed) if (types.push(type) === count) break;
  return types;
}

test('events come in order, those that are there and those to come', async () => {
  const { api, tenant, sent } = await createClient();
  const space = await tenant.space();
  const seen: string[] = [];
  for await (const { type, data } of api.followEvents()) {
    seen.push(`${type} ${data.id}`);
    // The feed has nothing more, and waits for this.
    if (seen.length === 1) setImmediate(() => void api.deleteSpace({ id: space.id }));
    if (seen.length === 2) break;
  }
  expect(seen).toEqual([`space.created ${space.id}`, `space.deleted ${space.id}`]);
  expect(sent[0]?.url.search).toBe('?limit=100&wait=20');
});

test('latest begins with what comes, and its end is taken before anything is waited for', async () => {
  const { api, tenant, sent, faults } = await createClient();
  await tenant.space();
  const feed = api.followEvents({ after: 'latest' });
  const pages = feed.pages();
  const { value: first } = await pages.next();
  expect(first?.events).toEqual([]);
  const { id } = await tenant.space();
  faults.push(loseAnswer, refuseConnection);
  const { value: second } = await pages.next();
  expect(second?.events.map(({ data }) => data.id)).toEqual([id]);
  expect(sent.map(({ url }) => url.searchParams.get('wait'))).toEqual(['0', '20', '20', '20']);
  expect(sent[1]?.url.searchParams.get('after')).toBe(first?.cursor);
});

test('it waits out whatever may pass, for as long as it takes', async () => {
  const { api, tenant, faults, waits } = await createClient({ maxAttempts: 1 });
  await tenant.space();
  const hour = refuse(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '3600' });
  faults.push(hour, ...Array(20).fill(refuseConnection), refuse(503, 'OVERLOADED'), loseAnswer);
  expect(await take(api.followEvents(), 1)).toEqual(['space.created']);
  expect(waits).toHaveLength(23);
  expect(waits[0]).toBe(3_600_500);
});

test('a wait for events is no attempt that takes too long', async () => {
  const { api, tenant, sent, faults } = await createClient({ timeoutMs: 1 });
  await tenant.space();
  faults.push(async (_, send) => {
    await new Promise((done) => setTimeout(done, 10));
    return send();
  });
  expect(await take(api.followEvents(), 1)).toEqual(['space.created']);
  expect(sent).toHaveLength(1);
});

test('it goes on after the service was away', async () => {
  const service = createServer((request, response) => {
    void handleNodeRequest(request, response, (task) => void task());
  });
  const port = await listen(service);
  let failures = 0;
  const { api, tenant } = await createClient({
    baseUrl: `http://127.0.0.1:${port}/api/v1`,
    sleep: async () => {
      failures += 1;
      if (failures === 3) {
        await tenant.space({ name: 'of meanwhile' });
        await listen(service, port);
      }
    },
  });
  await tenant.space({ name: 'first' });
  const seen: string[] = [];
  for await (const { data } of api.followEvents()) {
    seen.push('name' in data ? data.name : '');
    if (seen.length === 2) break;
    await new Promise((done) => {
      service.close(done);
      service.closeAllConnections();
    });
  }
  expect(seen).toEqual(['first', 'of meanwhile']);
  expect(failures).toBe(3);
  service.closeAllConnections();
  service.close();
});

test('a copy by lists and feed equals the account, whatever changes meanwhile', async () => {
  const { api, tenant } = await createClient();
  const space = await tenant.space();
  const before = [];
  for (let count = 0; count < 6; count += 1) before.push(await tenant.testimonial(space.id));
  const { pagination } = await api.listEvents({ after: 'latest' });
  const copy = new Map<string, unknown>();
  for await (const row of api.iterateTestimonials({ limit: 2 })) {
    copy.set(row.id, row);
    if (copy.size === 1) {
      await tenant.testimonial(space.id);
      await api.deleteTestimonial({ id: before[0]?.id ?? '' });
      await api.updateTestimonial({ id: before[5]?.id ?? '', rating: 1 });
    }
  }
  await api.updateTestimonial({ id: before[2]?.id ?? '', status: 'approved' });
  for await (const { type, data } of api.followEvents({ after: pagination.next_cursor })) {
    if (type === 'testimonial.deleted') copy.delete(data.id);
    else copy.set(data.id, data);
    if (type === 'testimonial.approved') break;
  }
  const { data: rows } = await api.listTestimonials();
  expect(rows).toHaveLength(6);
  expect([...copy.keys()].sort()).toEqual(rows.map(({ id }) => id).sort());
  // Events have fields beside those of a row.
  for (const row of rows) expect(copy.get(row.id)).toMatchObject(row);
});

test('the cursor that is kept after each event misses none and repeats a page at most', async () => {
  const { api, tenant } = await createClient();
  const names = ['a', 'b', 'c', 'd', 'e'];
  for (const name of names) await tenant.space({ name });
  const read = async (after: string | undefined, count: number) => {
    const feed = api.followEvents({ after, limit: 2 });
    const seen: string[] = [];
    let kept = feed.cursor;
    for await (const { data } of feed) {
      seen.push('name' in data ? data.name : '');
      kept = feed.cursor;
      if (seen.length === count) break;
    }
    return { seen, kept };
  };
  // It stopped within its second page, and has that again.
  const first = await read(undefined, 3);
  expect(first.seen).toEqual(['a', 'b', 'c']);
  // It stopped at the end of one.
  const second = await read(first.kept, 2);
  expect(second.seen).toEqual(['c', 'd']);
  expect((await read(second.kept, 1)).seen).toEqual(['e']);
});

test('a feed that is read on after a failure has the unhandled event again', async () => {
  const { api, tenant } = await createClient();
  for (const name of ['a', 'b']) await tenant.space({ name });
  const feed = api.followEvents({ limit: 1 });
  const seen: unknown[] = [];
  const handle = async () => {
    for await (const { data } of feed) {
      seen.push('name' in data && data.name);
      if (seen.length === 2) throw new Error('It was not handled');
      if (seen.length === 3) break;
    }
  };
  expect(await failure(handle())).toEqual(new Error('It was not handled'));
  await handle();
  expect(seen).toEqual(['a', 'b', 'b']);
});

test('the cursor of a feed that is read on is behind no event that comes again', async () => {
  const { api, tenant } = await createClient();
  for (const name of ['a', 'b']) await tenant.space({ name });
  const feed = api.followEvents();
  await take(feed, 2);
  expect(feed.cursor).toBeDefined();
  // The first comes again, and the second would be missed behind that cursor.
  await take(feed, 1);
  expect(feed.cursor).toBeUndefined();
});

test('of chosen types the cursor goes on where none comes', async () => {
  const { api, tenant, sent, faults } = await createClient();
  const [one, two] = [await tenant.space(), await tenant.space()];
  await api.deleteSpace({ id: one.id });
  sent.length = 0;
  const pages = api
    .followEvents({ types: ['testimonial.created', 'space.deleted'], limit: 1 })
    .pages();
  const { value: first } = await pages.next();
  expect(first?.events).toMatchObject([{ type: 'space.deleted', data: { id: one.id } }]);
  expect(sent[0]?.url.searchParams.get('types')).toBe('testimonial.created,space.deleted');
  await api.updateSpace({ id: two.id, name: 'Other' });
  const types: WebhookEvent['type'][] = ['testimonial.created'];
  // What the service answers once the wait is over.
  faults.push(({ url, headers }) => {
    url.searchParams.set('wait', '0');
    return fetch(url, { headers });
  });
  const left = api.followEvents({ after: first?.cursor, types }).pages();
  const { value: empty } = await left.next();
  expect(empty?.events).toEqual([]);
  expect(empty?.cursor).not.toBe(first?.cursor);
});

test('its cursor goes on with pages of which no event was chosen', async () => {
  const { api, tenant, faults } = await createClient();
  await tenant.space();
  const ending = new AbortController();
  const { signal } = ending;
  const feed = api.followEvents({ types: ['testimonial.created'], signal });
  let kept: string | undefined;
  faults.push(
    ({ url, headers }) => {
      url.searchParams.set('wait', '0');
      return fetch(url, { headers });
    },
    async (_, send) => {
      kept = feed.cursor;
      ending.abort(new Error('Enough'));
      return send();
    },
  );
  expect(await failure(take(feed, 1))).toEqual(new Error('Enough'));
  expect(kept).toBe((await api.listEvents({ after: 'latest' })).pagination.next_cursor);
});

test('a cursor behind which events are gone is an error of its own', async () => {
  const { api, tenant } = await createClient();
  await tenant.space();
  const feed = api.followEvents();
  await take(feed, 1);
  await tenant.space();
  await tenant.space();
  await database().webhookEvent.deleteMany({ where: { userId: tenant.accountId, position: 2 } });
  const error = await failure(take(api.followEvents({ after: feed.cursor }), 1));
  expect(error).toBeInstanceOf(CursorExpiredError);
  expect(error).toMatchObject({ code: 'CURSOR_EXPIRED', status: 410 });
});

test('what will not pass ends it', async () => {
  const { api } = await createClient();
  expect(await failure(take(api.followEvents({ after: 'made up' }), 1))).toMatchObject({
    code: 'VALIDATION_ERROR',
  });
});

test('its signal ends it while it waits for events', async () => {
  const reason = new Error('Enough');
  const ending = new AbortController();
  const { api, faults } = await createClient();
  faults.push(async (_, send) => {
    const answer = send();
    ending.abort(reason);
    return answer;
  });
  const feed = api.followEvents({ signal: ending.signal });
  expect(await failure(take(feed, 1))).toBe(reason);
});

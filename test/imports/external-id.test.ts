import { randomUUID } from 'node:crypto';
import { createTenant, type Tenant } from '../helpers/accounts';
import { sendDescribed } from '../rest/conformance';
import { importInto, item, results, storedOf } from './items';

let tenant: Tenant;
let space: string;

beforeEach(async () => {
  tenant = await createTenant();
  space = (await tenant.space()).id;
});

type Result = { result: string; id?: string };

const stored = () => storedOf(tenant);

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => item(space, `row-${index}`));

describe('the external id', () => {
  test('makes the same import, sent again, create nothing', async () => {
    const first = await importInto(tenant, many(20));
    const events = (await tenant.events()).length;
    const again = await importInto(tenant, many(20));
    expect([first.created, again.created, again.skipped]).toEqual([20, 0, 20]);
    expect(again.data.map((result: Result) => result.id)).toEqual(
      first.data.map((result: Result) => result.id),
    );
    expect(await stored()).toHaveLength(20);
    expect(await tenant.events()).toHaveLength(events);
  });

  test('leaves what is there as it is, unless an update is asked for', async () => {
    await importInto(tenant, [item(space, 'a', { rating: 3 })]);
    const before = await stored();
    expect(results(await importInto(tenant, [item(space, 'a', { rating: 4 })]))).toEqual([
      'skipped',
    ]);
    expect(await stored()).toEqual(before);
  });

  test('is one of the account: another has the same', async () => {
    const other = await createTenant();
    await importInto(other, [item((await other.space()).id, 'same')]);
    expect((await importInto(tenant, [item(space, 'same')])).created).toBe(1);
  });

  test('counts once in a request: later items with it are invalid, unless the first is', async () => {
    const body = await importInto(tenant, [
      item(randomUUID(), 'a'),
      item(space, 'a', { rating: 1 }),
      item(space, 'a', { rating: 2 }),
      item(space),
      item(space),
    ]);
    expect(results(body)).toEqual(['invalid', 'created', 'invalid', 'created', 'created']);
    expect(body.data[2].errors).toEqual([
      { field: 'external_id', message: 'is that of an earlier item' },
    ]);
    const { data } = (await tenant.api.get('/testimonials?external_id=a')).body;
    expect(data.map((row: { rating: number }) => row.rating)).toEqual([1]);
  });

  test.each(['', 'x'.repeat(201), 5, null])('may not be %j', async (external_id) => {
    const { data } = await importInto(tenant, [item(space, undefined, { external_id })]);
    const message = 'must be a text of 1 to 200 characters';
    expect(data).toEqual([{ result: 'invalid', errors: [{ field: 'external_id', message }] }]);
  });

  test('is in every answer and event about its testimonial, and in none about others', async () => {
    const other = await tenant.testimonial(space);
    const { data } = await importInto(tenant, [item(space, 'crm-1')]);
    const path = `/testimonials/${data[0].id}`;
    const [byImport] = (await tenant.api.get('/testimonials?external_id=crm-1')).body.data;
    const batch = { testimonial_ids: [data[0].id, other.id], status: 'rejected' };
    const answers = [
      [byImport, other],
      [
        (await tenant.api.get(path)).body.data,
        (await tenant.api.get(`/testimonials/${other.id}`)).body.data,
      ],
      [(await tenant.api.patch(path, { rating: 4 })).body.data],
      (await tenant.api.post('/testimonials/batch/update', batch)).body.data,
    ];
    for (const [imported, created = {}] of answers) {
      expect(imported.external_id).toBe('crm-1');
      expect(created).not.toHaveProperty('external_id');
    }
    await tenant.api.delete(path);
    await tenant.api.delete(`/testimonials/${other.id}`);
    const events = await tenant.events();
    expect(events).toHaveLength(7);
    for (const { resourceId, data: row } of events) {
      const isImported = resourceId === data[0].id;
      expect(Object(row).external_id).toBe(isImported ? 'crm-1' : undefined);
      expect(Object.keys(Object(row)).includes('external_id')).toBe(isImported);
    }
  });

  test('is told of events as the document describes them', async () => {
    await importInto(tenant, [item(space, 'crm-1')]);
    const answer = await sendDescribed('GET', '/events', { key: tenant.api.key });
    expect(answer.body.data.at(-1)).toMatchObject({
      type: 'testimonial.created',
      data: { external_id: 'crm-1' },
    });
  });
});

describe('on_duplicate: update', () => {
  const update = (items: unknown[]) => importInto(tenant, items, { on_duplicate: 'update' });

  test('sets what an item gives, leaves what it leaves out, and skips what would stay', async () => {
    const full = { rating: 3, text_content: 'Good', status: 'approved', submitter_role: 'Lead' };
    await importInto(tenant, [item(space, 'a', full), item(space, 'b', full)]);
    const body = await update([
      item(space, 'a', { rating: 4 }),
      item(space, 'b'),
      item(space, 'c'),
    ]);
    expect(results(body)).toEqual(['updated', 'skipped', 'created']);
    const rows = new Map(
      (await stored()).map((row: { external_id: string }) => [row.external_id, row]),
    );
    expect(rows.get('a')).toMatchObject({ ...full, rating: 4 });
    expect(rows.get('b')).toMatchObject(full);
    expect(rows.get('c')).toMatchObject({ status: 'pending', rating: null });
  });

  test('changes the space, the date and every other field', async () => {
    await importInto(tenant, [item(space, 'a')]);
    const changed = {
      space_id: (await tenant.space()).id,
      type: 'video',
      submitter_name: 'Bo',
      submitter_email: 'bo@example.com',
      submitter_company: 'C',
      submitter_role: 'R',
      submitter_avatar_url: 'https://example.com/a.png',
      text_content: 'T',
      video_url: 'https://example.com/v.mp4',
      video_thumbnail_url: 'https://example.com/t.png',
      rating: 2,
      status: 'rejected',
      external_id: 'a',
      ai_transcript: 'A',
    };
    await update([{ ...changed, created_at: '2019-05-04T08:15:00Z' }]);
    expect(await stored()).toEqual([
      expect.objectContaining({ ...changed, created_at: '2019-05-04T08:15:00.000000+00:00' }),
    ]);
  });

  test('takes the first of several items with the same id, and no other changes anything', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    await importInto(
      tenant,
      names.map((name) => item(space, name)),
    );
    const rated = (rating: number) => names.map((name) => item(space, name, { rating }));
    const body = await update([...rated(1), ...rated(2), ...rated(3)]);
    expect(results(body)).toEqual([...Array(5).fill('updated'), ...Array(10).fill('invalid')]);
    const rows: { rating: number }[] = await stored();
    expect(rows.map(({ rating }) => rating)).toEqual([1, 1, 1, 1, 1]);
  });

  test('takes no later one either where the first leaves the testimonial as it is', async () => {
    await importInto(tenant, [item(space, 'a', { rating: 1 })]);
    const body = await update([item(space, 'a', { rating: 1 }), item(space, 'a', { rating: 2 })]);
    expect(results(body)).toEqual(['skipped', 'invalid']);
    expect((await stored())[0].rating).toBe(1);
  });

  test('fires the event of a status that changes, that of an update for anything else, none for nothing', async () => {
    const names = ['same', 'approved', 'rejected', 'pending', 'text'];
    await importInto(
      tenant,
      [
        ...names.map((name) => item(space, name, { status: 'rejected' })),
        item(space, 'kept', { status: 'approved' }),
      ],
      { events: false },
    );
    await update([
      item(space, 'same', { status: 'rejected' }),
      item(space, 'approved', { status: 'approved', rating: 1 }),
      item(space, 'rejected', { status: 'rejected', rating: 1 }),
      item(space, 'pending', { status: 'pending' }),
      item(space, 'text', { text_content: 'New' }),
      item(space, 'new', { status: 'approved' }),
      item(space, 'kept', { status: 'approved', rating: 1 }),
    ]);
    const events = (await tenant.events()).map(({ type, sequence, data }) => {
      const { external_id, previous_status } = Object(data);
      return [external_id, type, sequence, previous_status];
    });
    expect(events.sort()).toEqual([
      ['approved', 'testimonial.approved', 1, 'rejected'],
      ['kept', 'testimonial.updated', 1, 'approved'],
      ['new', 'testimonial.created', 1, undefined],
      ['pending', 'testimonial.updated', 1, 'rejected'],
      ['rejected', 'testimonial.updated', 1, 'rejected'],
      ['text', 'testimonial.updated', 1, 'rejected'],
    ]);
  });
});

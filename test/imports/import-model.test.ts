import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { differences } from '../database/kept-rows';
import { createTenant, type Tenant } from '../helpers/accounts';
import { withOwnDatabase } from '../helpers/own-database';
import { importInto, item } from './items';

// What is kept is compared for all accounts, and other tests write events that are not counted.
withOwnDatabase();

const factor = Number(process.env.FUZZ_FACTOR ?? 1);

const text = fc.constantFrom(
  '',
  'Good',
  'ÄÖ İı 😀',
  '%_\\',
  '=1+1',
  'x'.repeat(100),
  'a\nb\r\t"\\',
);

/** The fields of a create, each there or not, good or bad. */
const fields = fc.record(
  {
    type: fc.constantFrom('text', 'video'),
    status: fc.constantFrom('pending', 'approved', 'rejected', 'other'),
    rating: fc.constantFrom<unknown>(1, 5, 6, '5'),
    text_content: text,
    submitter_company: text,
    submitter_role: fc.constantFrom('Lead', 'x'.repeat(101)),
    submitter_avatar_url: fc.constantFrom('https://example.com/a.png', 'no url'),
    video_url: fc.constantFrom('https://example.invalid/v.mp4'),
    video_thumbnail_url: fc.constantFrom('https://example.com/t.png'),
    submitter_email: fc.constantFrom('ada@example.com', 'nobody'),
  },
  { requiredKeys: [] },
);

const accountBound = ['id', 'space_id', 'user_id', 'created_at', 'updated_at'];

function comparable(row: object) {
  const kept = Object.entries(row).filter(([name]) => !accountBound.includes(name));
  return JSON.stringify(kept);
}

async function stateOf({ api, events }: Tenant) {
  const rows: object[] = (await api.get('/testimonials?limit=100')).body.data;
  return {
    rows: rows.map(comparable).sort(),
    events: (await events())
      .map(({ type, sequence, data }) => `${type} ${sequence} ${comparable(Object(data))}`)
      .sort(),
  };
}

test('an import of any mix is what single creates would store, and refuses what they refuse', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fields, { minLength: 1, maxLength: 12 }), async (mix) => {
      const [bulk, single] = [await createTenant(), await createTenant()];
      const [ofBulk, ofSingle] = [(await bulk.space()).id, (await single.space()).id];
      const body = await importInto(
        bulk,
        mix.map((one) => item(ofBulk, undefined, one)),
      );
      const statuses: number[] = [];
      for (const one of mix) {
        const answer = await single.api.post('/testimonials', item(ofSingle, undefined, one));
        statuses.push(answer.status);
      }
      expect(body.data.map(({ result }: { result: string }) => result)).toEqual(
        statuses.map((status) => (status === 201 ? 'created' : 'invalid')),
      );
      expect(await stateOf(bulk)).toEqual(await stateOf(single));
    }),
    { numRuns: 10 * factor },
  );
  expect(await differences()).toEqual([]);
});

test('imports of the same external ids at the same time create each once, and none fails', async () => {
  for (let round = 0; round < 4 * factor; round += 1) {
    const tenant = await createTenant();
    const space = (await tenant.space()).id;
    const ids = Array.from({ length: 40 }, (_, index) => `${round}-${index}`);
    const imports = [0, 1, 2, 3].map((turn) => {
      const order = turn % 2 ? ids.toReversed() : ids;
      const items = order.map((id) => item(space, id, { text_content: `Of ${turn}` }));
      return importInto(tenant, items, { on_duplicate: turn < 2 ? 'skip' : 'update' });
    });
    const bodies = await Promise.all(imports);
    expect(bodies.reduce((sum, { created }) => sum + created, 0)).toBe(40);
    const { pagination, data } = (await tenant.api.get('/testimonials?limit=100')).body;
    expect(pagination.total).toBe(40);
    const idOf = new Map(
      data.map((row: { external_id: string; id: string }) => [row.external_id, row.id]),
    );
    for (const { result, external_id, id, errors } of bodies.flatMap((body) => body.data)) {
      if (result === 'invalid')
        expect(errors[0].message).toMatch(/another request, send it again$/);
      else expect(id).toBe(idOf.get(external_id));
    }
  }
  expect(await differences()).toEqual([]);
});

test('imports, changes and deletions of the same testimonials at the same time end without a failure', async () => {
  const tenant = await createTenant();
  const space = (await tenant.space()).id;
  const ids = Array.from({ length: 30 }, (_, index) => `row-${index}`);
  const items = (rating: number) => ids.map((id) => item(space, id, { rating }));
  const { data } = await importInto(tenant, items(1));
  const testimonial_ids: string[] = data.map(({ id }: { id: string }) => id).toReversed();
  const { api } = tenant;
  const answers = await Promise.all(
    [1, 2, 3, 4].flatMap((rating) => [
      api.post('/imports', { testimonials: items(rating), on_duplicate: 'update' }),
      api.post('/testimonials/batch/update', { testimonial_ids, status: 'approved' }),
      api.patch(`/testimonials/${testimonial_ids[rating]}`, { rating: 5 }),
      api.post('/testimonials/batch/delete', { testimonial_ids: testimonial_ids.slice(0, 5) }),
    ]),
  );
  const statuses = new Set(answers.map(({ status }) => status));
  for (const status of statuses) expect([200, 404]).toContain(status);
  expect(await differences()).toEqual([]);
});

test('a space that is deleted meanwhile refuses its items, or takes them with it', async () => {
  const tenant = await createTenant();
  for (let round = 0; round < 3 * factor; round += 1) {
    const space = (await tenant.space()).id;
    const items = Array.from({ length: 50 }, () => item(space, randomUUID()));
    const [answer, deletion] = await Promise.all([
      tenant.api.post('/imports', { testimonials: items }),
      tenant.api.delete(`/spaces/${space}`),
    ]);
    expect([answer.status, deletion.status]).toEqual([200, 204]);
    const { created, invalid } = answer.body;
    expect([0, 50]).toContain(created);
    expect(created + invalid).toBe(50);
  }
  expect((await tenant.api.get('/testimonials')).body.pagination.total).toBe(0);
  expect(await differences()).toEqual([]);
});

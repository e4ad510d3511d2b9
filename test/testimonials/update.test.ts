import { createTenant, type Tenant } from '../helpers/accounts';
import { byCodeUnit, expectError } from '../helpers/expectations';
import { acceptedUuids, emoji, notStorable, notStrings, refusedUuids } from '../helpers/values';

let tenant: Tenant;
let spaceId: string;
let id: string;

beforeAll(async () => {
  tenant = await createTenant();
  spaceId = (await tenant.space()).id;
  ({ id } = await tenant.testimonial(spaceId));
});

const update = (fields: unknown, of = id) => tenant.api.patch(`/testimonials/${of}`, fields);

async function read(of = id) {
  return (await tenant.api.get(`/testimonials/${of}`)).body.data;
}

/** Refused, and nothing of it is stored. */
async function expectRefused(fields: unknown): Promise<void> {
  const before = await read();
  expectError(await update(fields), 400, 'VALIDATION_ERROR');
  expect(await read()).toEqual(before);
}

describe('what is sent', () => {
  test.each([
    ['status', 'approved'],
    ['text_content', 'Replaced,\nwith 😀'],
    ['text_content', ''],
    ['text_content', emoji.repeat(50_000)],
    ['rating', 1],
    ['rating', 5],
    ['submitter_company', ''],
    ['submitter_company', 'c'.repeat(100)],
    ['submitter_company', emoji.repeat(100)],
    ['submitter_role', ''],
    ['submitter_role', 'r'.repeat(100)],
    ['submitter_role', emoji.repeat(100)],
  ])('alone changes alone: %s', async (field, value) => {
    const before = await tenant.testimonial(spaceId, { rating: 3, text_content: 'Before' });
    const answer = await update({ [field]: value }, before.id);
    expect([answer.status, answer.body]).toEqual([
      200,
      { data: { ...before, [field]: value, updated_at: expect.any(String) } },
    ]);
    expect(await read(before.id)).toEqual(answer.body.data);
  });

  test('together changes together', async () => {
    const fields = {
      status: 'rejected',
      text_content: 'All',
      rating: 2,
      submitter_company: 'Company',
      submitter_role: 'Role',
    };
    const before = await read();
    const { body } = await update(fields);
    expect(body.data).toEqual({ ...before, ...fields, updated_at: body.data.updated_at });
  });

  test('may hold fields that cannot change and unknown ones beside: they are ignored', async () => {
    const before = await read();
    const { status, body } = await update({
      rating: 4,
      id: acceptedUuids[3][1],
      user_id: acceptedUuids[4][1],
      space_id: acceptedUuids[5][1],
      type: 'video',
      submitter_name: 'Someone else',
      submitter_email: 'no address',
      submitter_avatar_url: 'https://example.com',
      video_url: 'https://example.com',
      ai_transcript: 'Transcript',
      shares: 9,
      created_at: '2001-01-01T00:00:00Z',
      updated_at: '2001-01-01T00:00:00Z',
      nonsense: null,
    });
    expect(status).toBe(200);
    expect(body.data).toEqual({ ...before, rating: 4, updated_at: body.data.updated_at });
  });
});

const statuses = ['pending', 'approved', 'rejected'];

test.each(statuses.flatMap((from) => statuses.map((to) => [from, to])))(
  'status may go from %s to %s',
  async (from, to) => {
    await update({ status: from });
    const answer = await update({ status: to });
    expect([answer.status, answer.body.data.status]).toEqual([200, to]);
  },
);

test('every write moves updated_at, also where it changes nothing; none moves created_at', async () => {
  const created = await tenant.testimonial(spaceId);
  const rows = [created];
  for (const fields of [{ rating: 1 }, { rating: 1 }, { status: 'pending' }, { rating: 2 }]) {
    rows.push((await update(fields, created.id)).body.data);
  }
  const moments: string[] = rows.map((row) => row.updated_at);
  expect(moments).toEqual([...new Set(moments)].sort(byCodeUnit));
  expect(rows.map((row) => row.created_at)).toEqual(rows.map(() => created.created_at));
});

describe('refused, changing nothing', () => {
  test.each<[string, unknown]>([
    ['an empty object', {}],
    ['nothing but unknown fields', { nonsense: 1, page: 2 }],
    ['nothing but the id', { id: acceptedUuids[3][1] }],
    ['nothing but fields that cannot change', { submitter_name: 'A', type: 'video', shares: 1 }],
    ['an array', []],
    ['an array of a change', [{ rating: 1 }]],
    ['a string', 'rating'],
    ['null', null],
    ['a valid field beside an invalid one', { status: 'approved', rating: 6 }],
    ['an unknown status', { status: 'spam' }],
    ['a status in capitals', { status: 'Approved' }],
    ['an empty status', { status: '' }],
    ['50,001 characters of text', { text_content: 'é'.repeat(50_001) }],
    ['101 characters of company', { submitter_company: 'c'.repeat(101) }],
    ['101 emoji of company', { submitter_company: emoji.repeat(101) }],
    ['101 characters of role', { submitter_role: 'r'.repeat(101) }],
  ])('%s', async (_name, body) => {
    await expectRefused(body);
  });

  test.each([0, 6, -1, 4.5, '5', '', true, null, [3], {}])('a rating of %p', async (rating) => {
    await tenant.api.get('/testimonials?rating=5&limit=1');
    await expectRefused({ rating });
  });

  test.each(['status', 'text_content', 'submitter_company', 'submitter_role'])(
    '%s of another type, null included, or with characters that cannot be stored',
    async (field) => {
      const refused = field === 'status' ? notStrings : [...notStrings, ...notStorable];
      for (const value of refused) await expectRefused({ [field]: value });
    },
  );
});

test.each(acceptedUuids)('an id that does not exist is 404: %s', async (_name, unknown) => {
  expectError(await update({ rating: 1 }, unknown), 404, 'TESTIMONIAL_NOT_FOUND');
});

test.each(refusedUuids)('an id that is no UUID is 400: %s', async (_name, invalid) => {
  expectError(await update({ rating: 1 }, encodeURIComponent(invalid)), 400, 'VALIDATION_ERROR');
});

test('an id that does not exist with an invalid body is 400', async () => {
  expectError(await update({ rating: 6 }, acceptedUuids[3][1]), 400, 'VALIDATION_ERROR');
});

test('another account is answered exactly as for a missing row, which stays as it is', async () => {
  const other = await createTenant();
  const row = await other.testimonial((await other.space()).id);
  const foreign = await update({ status: 'approved' }, row.id);
  const missing = await update({ status: 'approved' }, acceptedUuids[3][1]);
  expectError(foreign, 404, 'TESTIMONIAL_NOT_FOUND');
  expect(foreign.text).toBe(missing.text);
  expect((await other.api.get(`/testimonials/${row.id}`)).body.data).toEqual(row);
  expect(await other.events()).toHaveLength(1);
});

import { pageInput } from '@/src/api/pagination';
import { listTestimonialsInput } from '@/src/testimonials/schema';
import { createTenant, type Tenant } from '../helpers/accounts';
import { expectError } from '../helpers/expectations';
import { insertTestimonials, type TestimonialRow } from '../helpers/rows';
import { acceptedUuids, emoji } from '../helpers/values';
import { list, type Query, tenantWith } from './listing';

describe('filters', () => {
  let tenant: Tenant;
  let spaceId: string;
  let rows: TestimonialRow[];

  beforeAll(async () => {
    const none = { transcription: 'none' };
    ({ tenant, rows } = await tenantWith([
      {
        ...none,
        status: 'approved',
        rating: 5,
        text_content: 'Good',
        created_at: '2026-01-01T00:00:00Z',
        external_id: 'crm-1',
      },
      {
        transcription: 'failed',
        status: 'approved',
        rating: 5,
        type: 'video',
        created_at: '2026-02-01T00:00:00Z',
      },
      {
        ...none,
        status: 'rejected',
        rating: 1,
        text_content: 'Bad',
        created_at: '2026-03-01T00:00:00Z',
      },
    ]));
    const space = await tenant.space();
    spaceId = space.id;
    const more = await insertTestimonials(
      space,
      ['approved', 'pending'].flatMap((status) =>
        ['text', 'video'].flatMap((type) =>
          [4, 5].map((rating, i) => ({
            status,
            type,
            rating,
            text_content: i ? 'So GOOD!' : 'So so',
            created_at: `2026-0${1 + (i % 2)}-15T00:00:00Z`,
            transcription: type === 'video' ? (i ? 'failed' : 'done') : 'none',
          })),
        ),
      ),
    );
    rows.push(...more);
  });

  type Filter = { query: () => Query; matches: (row: TestimonialRow) => boolean };
  const filters: [string, Filter][] = [
    [
      'space_id',
      { query: () => ({ space_id: spaceId }), matches: (row) => row.space_id === spaceId },
    ],
    [
      'status',
      { query: () => ({ status: 'approved' }), matches: (row) => row.status === 'approved' },
    ],
    ['type', { query: () => ({ type: 'video' }), matches: (row) => row.type === 'video' }],
    ['rating', { query: () => ({ rating: 5 }), matches: (row) => row.rating === 5 }],
    [
      'search',
      {
        query: () => ({ search: 'good' }),
        matches: (row) => /good/i.test(String(row.text_content)),
      },
    ],
    [
      'date_from',
      {
        query: () => ({ date_from: '2026-01-15T00:00:00Z' }),
        matches: (row) => String(row.created_at) >= '2026-01-15',
      },
    ],
    [
      'date_to',
      {
        query: () => ({ date_to: '2026-02-01T00:00:00Z' }),
        matches: (row) => String(row.created_at) < '2026-02-02',
      },
    ],
    [
      'external_id',
      {
        query: () => ({ external_id: 'crm-1' }),
        matches: (row) => row.external_id === 'crm-1',
      },
    ],
    [
      'transcription',
      {
        query: () => ({ transcription: 'failed' }),
        matches: (row) => row.transcription === 'failed',
      },
    ],
  ];

  test('are those of the input, each of which narrows a list', () => {
    const names = listTestimonialsInput
      .keyof()
      .options.filter((name) => !(name in pageInput) && name !== 'include');
    expect(filters.map(([name]) => name).sort()).toEqual(names.sort());
    for (const [name, { matches }] of filters) {
      const count = rows.filter(matches).length;
      expect([name, count > 0 && count < rows.length]).toEqual([name, true]);
    }
  });

  // Not every set: there are twice as many with each filter, of ten more than an account may ask for.
  test.each(filters)(
    '%s alone, and with one, two or all of those after it',
    async (name, filter) => {
      const index = filters.findIndex(([other]) => other === name);
      const later = filters.slice(index + 1).map(([, other]) => other);
      const pairs = later.flatMap((one, i) => later.slice(i + 1).map((other) => [one, other]));
      for (const others of [[], ...later.map((other) => [other]), ...pairs, later]) {
        const chosen = [filter, ...others];
        const query: Query = Object.assign({}, ...chosen.map((one) => one.query()));
        const expected = rows.filter((row) => chosen.every((one) => one.matches(row)));
        const { data, pagination } = await list(tenant, query);
        expect([query, pagination.total, data.map(({ id }: TestimonialRow) => id).sort()]).toEqual([
          query,
          expected.length,
          expected.map(({ id }) => id).sort(),
        ]);
      }
    },
  );

  test.each(['pending', 'approved', 'rejected'])('status %s matches exactly', async (status) => {
    const { data } = await list(tenant, { status });
    const expected = rows.filter((row) => row.status === status);
    expect(data).toHaveLength(expected.length);
    expect(data.every((row: TestimonialRow) => row.status === status)).toBe(true);
  });

  test.each([1, 2, 3, 4, 5])('rating %i matches exactly', async (rating) => {
    const { pagination } = await list(tenant, { rating });
    expect(pagination.total).toBe(rows.filter((row) => row.rating === rating).length);
  });

  test('a space of another account gives an empty page, as one that does not exist', async () => {
    const other = await createTenant();
    const space = await other.space();
    await other.testimonial(space.id);
    const foreign = await list(tenant, { space_id: space.id });
    expect(foreign).toEqual({ data: [], pagination: expect.objectContaining({ total: 0 }) });
    for (const [, space_id] of acceptedUuids) {
      expect(await list(tenant, { space_id })).toEqual(foreign);
    }
  });

  test('a space may be named in upper case', async () => {
    expect(await list(tenant, { space_id: spaceId.toUpperCase() })).toEqual(
      await list(tenant, { space_id: spaceId }),
    );
  });
});

describe('search', () => {
  const contents = {
    percent: '100% sure',
    hundred: '100 and sure',
    underscore: 'snake_case',
    snake: 'snakeXcase',
    backslash: 'C:\\temp',
    accents: 'Une École à Zürich, ПРИВЕТ',
    greek: 'Ο πάγος της Αθήνας',
    greekCapitals: 'Ο ΠΆΓΟΣ ΤΗΣ ΑΘΉΝΑΣ',
    turkish: 'Kapıları açıktı',
    turkishCapitals: 'KAPILARI AÇIKTI',
    dottedCapital: 'İZMİR',
    dotted: 'izmir',
    // As one keyboard writes it, and another.
    vietnamese: 'Rất tiện lợi'.normalize('NFC'),
    vietnameseApart: 'Rất tiện lợi'.normalize('NFD'),
    bengali: 'ব\u09dcই ভালো',
    bengaliApart: 'ব\u09a1\u09bcই ভালো',
    korean: '정말 좋아요'.normalize('NFC'),
    koreanApart: '정말 좋아요'.normalize('NFD'),
    caron: '\u01f0 \u1e96',
    caronCapitals: 'J\u030c H\u0331',
    emoji: 'Great 😀 service',
    lines: 'first\nsecond',
    quotes: `it's "quoted"; DROP TABLE`,
  };
  let tenant: Tenant;

  beforeAll(async () => {
    ({ tenant } = await tenantWith([
      ...Object.entries(contents).map(([submitter_role, text_content]) => ({
        submitter_role,
        text_content,
        submitter_company: 'Needle',
        ai_transcript: 'Needle',
      })),
      { submitter_role: 'nothing', text_content: null, submitter_company: 'Needle' },
    ]));
  });

  test.each([
    ['a part of the text', 'ak', ['underscore', 'snake']],
    ['whatever the case', 'SNAKE', ['underscore', 'snake']],
    ['whatever the case of letters outside ASCII', 'école À zÜRICH', ['accents']],
    ['whatever the case of Cyrillic letters', 'привет', ['accents']],
    ['whatever the case of a final sigma', 'Πάγος της', ['greek', 'greekCapitals']],
    ['whatever the case of a sigma in capitals', 'ΠΆΓΟΣ ΤΗΣ', ['greek', 'greekCapitals']],
    ['a final sigma in the middle of words too', 'αθήνασ', ['greek', 'greekCapitals']],
    ['whatever the case of a dotless i', 'kapıları', ['turkish', 'turkishCapitals']],
    ['whatever the case of an I without a dot', 'AÇIKTI', ['turkish', 'turkishCapitals']],
    ['whatever the case of an i with a dot', 'izmir', ['dotted', 'dottedCapital']],
    ['whatever the case of an I with a dot', 'İZMİR', ['dotted', 'dottedCapital']],
    ['a letter and its marks as one', 'tiện'.normalize('NFC'), ['vietnamese', 'vietnameseApart']],
    ['a letter and its marks apart', 'TIỆN'.normalize('NFD'), ['vietnamese', 'vietnameseApart']],
    ['a nukta in its letter', 'ব\u09dc', ['bengali', 'bengaliApart']],
    ['a nukta behind its letter', 'ব\u09a1\u09bc', ['bengali', 'bengaliApart']],
    ['a syllable of Hangul', '좋아'.normalize('NFC'), ['korean', 'koreanApart']],
    ['the letters of a syllable of Hangul', '좋아'.normalize('NFD'), ['korean', 'koreanApart']],
    ['letters that have one form in small alone', '\u01f0 \u1e96', ['caron', 'caronCapitals']],
    ['% literally', '%', ['percent']],
    ['% literally, between others', '0% s', ['percent']],
    ['_ literally', 'e_c', ['underscore']],
    ['\\ literally', ':\\t', ['backslash']],
    ['a final \\ literally', 'C:\\', ['backslash']],
    ['an emoji', '😀', ['emoji']],
    ['a line break', 'first\nsecond', ['lines']],
    ['quotes', `'s "q`, ['quotes']],
    ['text_content alone', 'Needle', []],
    ['nothing where there is none', 'absent', []],
    ['blanks as they stand', '100  and', []],
    ['anything where it is empty', '', [...Object.keys(contents), 'nothing']],
  ])('finds %s', async (_name, search, expected) => {
    const { data, pagination } = await list(tenant, { search });
    const found = data.map((row: { submitter_role: string }) => row.submitter_role);
    expect(found.sort()).toEqual([...expected].sort());
    expect(pagination.total).toBe(expected.length);
  });

  test('has at most 1,000 characters', async () => {
    const longest = emoji.repeat(1000);
    expect((await list(tenant, { search: longest })).data).toEqual([]);
    const longer = await tenant.api.get(`/testimonials?search=${encodeURIComponent(longest)}x`);
    expectError(longer, 400, 'VALIDATION_ERROR');
  });

  test.each(['100%', '0%25+s', '%E2%82%AC%', '%EF%BF%BD', '%zz', '%'])(
    'takes %s: it is UTF-8, and a %% that escapes nothing stands for itself',
    async (search) => {
      const { status } = await tenant.api.get(`/testimonials?search=${search}&unknown=%FF`);
      expect(status).toBe(200);
    },
  );

  test('refuses NUL', async () => {
    expectError(await tenant.api.get('/testimonials?search=a%00b'), 400, 'VALIDATION_ERROR');
  });
});

describe('date_from and date_to', () => {
  const [before, at, after] = ['55', '56', '57'].map(
    (digits) => `2026-01-15T10:30:00.1234${digits}Z`,
  );
  let tenant: Tenant;

  beforeAll(async () => {
    ({ tenant } = await tenantWith(
      [before, at, after].map((created_at) => ({ created_at: String(created_at) })),
    ));
  });

  async function found(query: Query): Promise<string[]> {
    const { data } = await list(tenant, { ...query, sort_order: 'asc' });
    return data.map((row: { created_at: string }) => row.created_at.replace('+00:00', 'Z'));
  }

  test.each([
    ['both ends are inclusive', '.123456Z', '.123456Z', [at]],
    ['the lower end is inclusive to the microsecond', '.123456Z', undefined, [at, after]],
    ['the upper end is inclusive to the microsecond', undefined, '.123456Z', [before, at]],
    ['zeros below microseconds change nothing', '.123456000Z', '.1234560Z', [at]],
    ['a lower end just above a row leaves it out', '.1234560001Z', undefined, [after]],
    ['a lower end a tenth of a microsecond above it too', '.1234561Z', undefined, [after]],
    ['an upper end just above a row keeps it', undefined, '.123456999Z', [before, at]],
    ['no fraction', 'Z', undefined, [before, at, after]],
    ['a short fraction', '.1Z', '.2Z', [before, at, after]],
    ['an empty span', '.123457Z', '.123455Z', []],
  ])('%s', async (_name, from, to, expected) => {
    const second = '2026-01-15T10:30:00';
    const query = {
      ...(from && { date_from: second + from }),
      ...(to && { date_to: second + to }),
    };
    expect(await found(query)).toEqual(expected);
  });

  test.each([
    ['the year 0000', '0000-02-29T00:00:00Z'],
    ['the year 9999', '9999-12-31T23:59:59.999999999Z'],
    ['a leap day', '2024-02-29T23:59:59Z'],
  ])('accepted: %s', async (_name, instant) => {
    const [from, to] = [await found({ date_from: instant }), await found({ date_to: instant })];
    expect([...to, ...from]).toEqual([before, at, after]);
  });
});

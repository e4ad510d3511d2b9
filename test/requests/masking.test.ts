import fc from 'fast-check';
import { maskedBody, maskedQuery } from '@/src/requests/masking';
import { createAccount } from '../helpers/accounts';
import { send } from '../helpers/client';
import { namedKey, rowOf, withRequestLog } from './log';

withRequestLog();

/** Something that people wrote, which occurs nowhere by accident. */
const secret = fc
  .tuple(
    fc.constantFrom('', 'Ada ', '+49 151 ', 'sk_live_', '<b>', '"', '\\', 'é', '\u202e', '👋'),
    fc.stringMatching(/^[a-f]{14}$/),
    fc.constantFrom('', '@example.com', '/', ' x', '%', "'", '\n'),
  )
  .map(([before, core, after]) => ({ text: before + core + after, core }));

const names = fc.constantFrom(
  ...['name', 'description', 'status', 'type', 'rating', 'space_id', 'submitter_email'],
  ...['submitter_name', 'text_content', 'testimonial_ids', 'limit', 'date_from', 'search', 'id'],
  ...['unknown', 'e_mail', '__proto__', 'constructor', 'sort_by', 'custom_questions'],
);

const nested = (text: string) => [text, [text], { [text]: text }, { deep: [{ text }] }];

const paths = ['/testimonials', '/spaces', '/testimonials/batch/update', '/nowhere'];

test('no value of a body or a query, and no name that is more than a word, occurs in what is stored', async () => {
  const accountId = await createAccount();
  const { key } = await namedKey(accountId);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(names, secret, fc.nat(3)), { minLength: 1, maxLength: 6 }),
      fc.tuple(names, secret),
      secret,
      fc.constantFrom(...paths),
      fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE'),
      async (fields, [parameter, inQuery], inPath, path, method) => {
        const json = Object.fromEntries([
          ...fields.map(([name, { text }, kind]) => [name, nested(text)[kind]]),
          [`${inPath.text} `, 1],
        ]);
        const query = `?${parameter}=${encodeURIComponent(inQuery.text)}&${encodeURIComponent(`${inQuery.text} @`)}=1`;
        const inside = encodeURIComponent(inPath.text);
        const place = path === '/spaces' || path === '/testimonials' ? `${path}/${inside}` : path;
        const target = method === 'POST' ? path : place;
        const isRead = method === 'GET' || method === 'DELETE';
        const answer = await send(method, target + query, { key, ...(!isRead && { json }) });
        const stored = JSON.stringify(await rowOf(accountId, answer)).toLowerCase();
        for (const { core } of [inQuery, inPath, ...fields.map(([, one]) => one)]) {
          expect(stored).not.toContain(core);
        }
      },
    ),
    { numRuns: 60 * Number(process.env.FUZZ_FACTOR ?? 1) },
  );
});

test.each([
  ['key', (key: string) => key],
  // As short as the names are that are shown.
  ['beginning of a key', (key: string) => key.slice(0, 39)],
])('no %s is stored, wherever somebody put it', async (_, cut) => {
  const accountId = await createAccount();
  const { key } = await namedKey(accountId);
  const pasted = cut(key);
  const body = { [pasted]: 1, name: pasted, status: pasted };
  const answers = [
    await send('POST', `/spaces?key=${pasted}&${pasted}=1`, { key, json: { ...body, name: '' } }),
    await send('GET', `/spaces/${pasted}`, { key }),
    await send('GET', `/${pasted}/${pasted}`, { key }),
    await send('GET', `/spaces?limit=${pasted}`, { key }),
  ];
  for (const answer of answers) {
    const stored = JSON.stringify(await rowOf(accountId, answer));
    expect(stored).not.toContain(key.slice(8, 24));
  }
});

test.each([
  ['/spaces/ada', '/spaces/…'],
  ['/spaces/151', '/spaces/151'],
  ['/testimonials/batch/ada', '/testimonials/batch/ada'],
])(
  'what stands for an id without being one is masked, as in %s, and else a slip is shown',
  async (path, shown) => {
    const accountId = await createAccount();
    const { key } = await namedKey(accountId);
    const row = await rowOf(accountId, await send('GET', path, { key }));
    expect(row.path).toBe(shown);
  },
);

test('the query of what takes a body is read by nobody, and masked whole', async () => {
  const accountId = await createAccount();
  const { key } = await namedKey(accountId);
  const answer = await send('POST', '/testimonials?rating=5', { key, json: { rating: 5 } });
  const { detail } = await rowOf(accountId, answer);
  expect(detail).toMatchObject({
    query: [{ name: 'rating', value: null, is_known: false }],
    body: [{ name: 'rating', value: '5', is_known: true }],
  });
});

const known = { fields: new Set(['limit', 'rating', 'customer_number']), words: new Map() };

test.each([
  ['is shown of a field that may be', 'limit=25', '25'],
  ['is masked of a field that nobody has thought of yet', 'customer_number=25', null],
  ['is masked of a field that the operation does not take', 'offset=25', null],
  ['is masked where it is as long as a telephone number', 'limit=4915112345', null],
])('a short number %s', (_, search, shown) => {
  expect(maskedQuery(`?${search}`, known)).toMatchObject([{ value: shown }]);
});

test('a number that is as long as a telephone number is masked where it is none of text, too', () => {
  const body = { rating: 5, limit: 4_915_112_345 };
  expect(maskedBody(body, known)).toMatchObject([{ value: '5' }, { value: null }]);
});

test.each(['25', '2026-11-22T10:00:00Z', '0b3f2a6e-5c1d-4e8f-9a7b-1c2d3e4f5a6b'])(
  'what only begins or ends like %s, which is shown, is masked',
  (harmless) => {
    const values = [harmless, `${harmless}Ada`, `Ada${harmless}`];
    const search = `?${values.map((value) => `limit=${value}`).join('&')}`;
    const shown = maskedQuery(search, known).map(({ value }) => value);
    expect(shown).toEqual([harmless, null, null]);
  },
);

test('of a query and of a body the first twenty fields are kept', () => {
  const fields = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`field_${n}`, 'x']));
  expect(maskedQuery(`?${new URLSearchParams(fields)}`, known)).toHaveLength(20);
  expect(maskedBody(fields, known)).toHaveLength(20);
});

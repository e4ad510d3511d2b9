import { createTenant } from '../helpers/accounts';
import { statementsOf } from '../helpers/statements';
import { list, tenantWith } from './listing';

const a = (count: number) => 'a'.repeat(count);

/** So many of one and the other, in an order that does not repeat itself; and an end. */
const mixed = (one: string, other: string) =>
  `${Array.from({ length: 600 }, (_, n) => ((n * n) % 677 < 338 ? one : other)).join('')}c`;

/** Terms of up to 1,000 characters, each with a text in which every place looks like its beginning. */
const hostile: [name: string, term: string, text: string][] = [
  ['one letter', `${a(999)}b`, a(50_000)],
  ['one letter in either case', `${'aA'.repeat(499)}b`, a(50_000)],
  ['two letters', `${'ab'.repeat(499)}c`, 'ab'.repeat(25_000)],
  ['a word', `${'so good, '.repeat(111)}c`, 'so good, '.repeat(5500)],
  ['sigmas', `${'σςΣ'.repeat(333)}c`, 'σ'.repeat(50_000)],
  ['a letter in one piece and in two', mixed('é', 'e\u0301'), 'é'.repeat(50_000)],
  ['an i with its dot and without', mixed('i', 'i\u0307'), 'i'.repeat(50_000)],
  ['another letter in the middle', `${a(500)}b${a(499)}`, `${a(600)}c`.repeat(80)],
];

/** How many characters LIKE compares of a text that has no match, as Postgres does it. */
function comparisons(pattern: string, text: string): number {
  const term = pattern
    .slice(1, -1)
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replaceAll('i\u0307', 'i')
    .normalize();
  let count = 0;
  for (let from = 0; from < text.length; from++) {
    let length = 0;
    while (length < term.length && term[length] === text[from + length]) length += 1;
    count += length + 1;
    if (length === term.length) break;
  }
  return count;
}

test.each(hostile)(
  'a term that repeats %s is compared with no text more than some dozen times',
  async (_name, term, text) => {
    const tenant = await createTenant();
    const path = `/testimonials?search=${encodeURIComponent(term)}`;
    const statements = await statementsOf(tenant.api.key, ['GET', path]);
    const patterns = statements
      .flatMap(({ values }) => values)
      .filter((value) => typeof value === 'string')
      .filter((value) => /^%.*%$/.test(value));
    expect(patterns).not.toEqual([]);
    for (const pattern of patterns) {
      expect(comparisons(pattern, text)).toBeLessThan(30 * text.length);
    }
  },
);

test.each([
  ['a line', '-'.repeat(100)],
  ['a word', 'So good! '.repeat(50)],
  ['emoji', '😀'.repeat(200)],
  ['sigmas of every kind', 'ΣςΣσ'.repeat(50)],
  ['letters in pieces', 'o\u0302\u0323'.repeat(60)],
  ['letters in pieces, from the middle of one on', '\u0301e'.repeat(60)],
  ['letters in pieces that are one in small alone', 'J\u030c'.repeat(60)],
  ['an I with a dot', 'İ'.repeat(60)],
  ['syllables of Hangul in pieces', '한'.normalize('NFD').repeat(60)],
  ['nothing but marks', '\u0301\u0323'.repeat(60)],
  ['what means something in patterns', '%_\\'.repeat(60)],
  ['what means something in regular expressions', '(.*[^)]{2}|\\'.repeat(30)],
  ['what begins an option of theirs', '***='.repeat(50)],
  ['a line break', '\n'.repeat(60)],
])('a term that repeats %s is found as it stands, whatever its case', async (_name, term) => {
  const { tenant } = await tenantWith([
    { submitter_role: 'has it', text_content: `Before ${term} after` },
    { submitter_role: 'in capitals', text_content: term.toUpperCase() },
    { submitter_role: 'lacks the last', text_content: `${[...term].slice(0, -1).join('')}x` },
    {
      submitter_role: 'lacks one',
      text_content: `${[...term].slice(0, -30).join('')}x${[...term].slice(-29).join('')}`,
    },
  ]);
  const { data, pagination } = await list(tenant, { search: term });
  const found = data.map((row: { submitter_role: string }) => row.submitter_role);
  expect(found.sort()).toEqual(['has it', 'in capitals']);
  expect(pagination.total).toBe(2);
});

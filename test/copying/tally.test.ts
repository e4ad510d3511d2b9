import { isSameTally, noRows, partsOf, sumOf, tallyOf } from '@/src/copying/tally';

const rows = ['1\tone\n', '2\ttwo\n', '3\tthree\n'].map((row) => Buffer.from(row));

test('neither the order of rows nor the parts in which they come change the tally', () => {
  const [one, two, three] = rows.map(tallyOf);
  const together = tallyOf(Buffer.concat(rows));
  expect(together.rows).toBe(3);
  expect(sumOf(three ?? noRows, sumOf(one ?? noRows, two ?? noRows))).toEqual(together);
  expect(tallyOf(Buffer.concat(rows.toReversed()))).toEqual(together);
  expect(tallyOf(Buffer.alloc(0))).toEqual(noRows);
});

test('a tally is what earlier versions wrote into their backups', () => {
  const checksum = '4410611c0715df280f80c0a4c26f90a9';
  expect(tallyOf(Buffer.concat(rows))).toEqual({ rows: 3, checksum });
});

test.each([
  ['a row more', Buffer.from('1\tone\n1\tone\n2\ttwo\n3\tthree\n')],
  ['a row less', Buffer.from('1\tone\n2\ttwo\n')],
  ['another value', Buffer.from('1\tone\n2\ttwo\n3\tthrew\n')],
  ['values of two rows exchanged', Buffer.from('1\ttwo\n2\tone\n3\tthree\n')],
])('%s changes the tally', (_, changed) => {
  expect(isSameTally(tallyOf(changed), tallyOf(Buffer.concat(rows)))).toBe(false);
});

test('parts end where rows do, and a row that breaks off is no row', () => {
  const all = Buffer.concat(rows);
  const parts = [...partsOf(all, 3)];
  expect(Buffer.concat(parts)).toEqual(all);
  expect(parts.every((part) => part.at(-1) === 0x0a)).toBe(true);
  for (const bytes of [all.length, 1000]) expect([...partsOf(all, bytes)]).toEqual([all]);
  expect(() => tallyOf(all.subarray(0, -1))).toThrow('end within one');
});

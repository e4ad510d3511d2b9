import { Readable } from 'node:stream';
import fc from 'fast-check';
import { csvWriter } from '@/src/exports/export';
import { readCsv } from '@/src/imports/csv';
import { escapeFormula, unescapeFormula } from '@/src/imports/formulas';
import { decoded, type FileLine, maxRecordCharacters, readJsonLines } from '@/src/imports/lines';
import { columnNames } from '@/src/testimonials/columns';

async function collect(lines: AsyncIterable<FileLine>): Promise<FileLine[]> {
  const all: FileLine[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

/** The bytes in pieces of a size, so that characters and line ends are cut in the middle. */
const pieces = (bytes: Buffer, size: number) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    ),
  );

const mapping = new Map([
  ['Stars', 'rating'],
  ['a', 'text_content'],
]);
const csv = (text: string | Buffer, size = 7) =>
  collect(readCsv(decoded(pieces(Buffer.from(text), size)), { spaceId: 'space', mapping }));
const jsonLines = (text: string, size = 7) =>
  collect(readJsonLines(decoded(pieces(Buffer.from(text), size))));

const records = (lines: FileLine[]) =>
  lines.map((line) => ('record' in line ? line.record : line.problem));

describe('CSV', () => {
  test.each([
    ['commas', 'a,b\n1,2\n'],
    ['semicolons', 'a;b\n1;2\n'],
    ['tabs', 'a\tb\n1\t2\n'],
    ['a byte order mark', '\ufeffa,b\n1,2\n'],
    ['CRLF', 'a,b\r\n1,2\r\n'],
    ['CR', 'a,b\r1,2\r'],
    ['no end of the last line', 'a,b\n1,2'],
    ['empty lines', 'a,b\n\n\n1,2\n\n'],
    ['quotes around everything', '"a","b"\n"1","2"\n'],
    ['spaces around the names', ' a , b \n1,2\n'],
    ['more of another delimiter in a quoted name', 'a;"b"\n1;2\n'],
    ['an end of line in a quoted name', '"\na";b\n1;2\n'],
    ['a line that declares the delimiter', '\ufeffsep=;\r\na;"b"\r\n1;2\r\n'],
    ['the same in quotes', '"sep=,"\na,b\n1,2\n'],
    ['a tab that is declared', 'SEP=\t\na\tb\n1\t2\n'],
    ['a bar, which is known by its declaration alone', 'sep=|\na|b\n1|2\n'],
  ])('with %s is read', async (_, text) => {
    for (const size of [1, 3, 1000])
      expect(records(await csv(text, size))).toEqual([{ a: '1', b: '2' }]);
  });

  test('has quotes, delimiters and ends of lines within quotes', async () => {
    const lines = await csv('a,b\r\n"x ""y"", z","one\r\ntwo\n"\r\n');
    expect(records(lines)).toEqual([{ a: 'x "y", z', b: 'one\r\ntwo\n' }]);
  });

  test('tells a text without characters from none, and knows on which line a record begins', async () => {
    expect(await csv('a,b\n"",\n"x\ny",2\n3,"4"\n\n\n5,6\n7,8\n')).toEqual([
      { line: 2, record: { a: '', b: null } },
      { line: 3, record: { a: 'x\ny', b: '2' } },
      { line: 5, record: { a: '3', b: '4' } },
      { line: 8, record: { a: '5', b: '6' } },
      { line: 9, record: { a: '7', b: '8' } },
    ]);
  });

  test('counts the line that declares the delimiter, and takes it for one at the very beginning alone', async () => {
    expect(await csv('sep=;\r\na;b\r\n1;2\r\n')).toEqual([{ line: 3, record: { a: '1', b: '2' } }]);
    expect(records(await csv('sep=b,a\n1,2\nsep=,\n'))).toEqual([
      { 'sep=b': '1', a: '2' },
      { 'sep=b': 'sep=', a: null },
    ]);
  });

  test('with two columns of one name is refused where the name is taken, and only there', async () => {
    for (const name of ['rating', 'id', 'Stars']) {
      await expect(csv(`${name},a, ${name} \n1,2,3\n`)).rejects.toThrow(
        `The file has two columns that are called "${name}": rename one.`,
      );
    }
    expect(records(await csv('note,a,note,,\n1,2,3,4,5\n'))).toEqual([{ note: '3', a: '2' }]);
  });

  test('whose first line names nothing that is taken is refused, and so is one without any line', async () => {
    for (const text of ['Ada,ada@example.com,5', 'b|submitter_name\n1|2\n', ',\n1,2\n']) {
      await expect(csv(text)).rejects.toThrow(/^The first line names no column/);
    }
    for (const text of ['', '\ufeff', '\n\n', 'sep=;\r\n']) {
      await expect(csv(text)).rejects.toThrow('The file is empty: no line names its columns.');
    }
    expect(await csv('Stars;b\n')).toEqual([]);
  });

  test('with too many or too few cells on a line has a problem there, and nowhere else', async () => {
    expect(records(await csv('a,b\n1\n1,2,3\n1,2\n'))).toEqual([
      'has 1 cells, and the first line 2',
      'has 3 cells, and the first line 2',
      { a: '1', b: '2' },
    ]);
  });

  test.each([
    ['lines without a value', 'a,b\n1,2\n,\n \u00a0,\n  \n3,4\n,', [2, 6]],
    ['blank cells behind the last name', 'a,b\n1,2,\n3,4,,\t,""\n', [2, 3]],
    ['names and lines that both go on', 'a,b,,\n1,2,,\n3,4,,\n,,,,,\n', [2, 3]],
    ['empty lines before its names', '\r\n\r\na;b\r\n1;2\r\n3;4\r\n', [4, 5]],
    ['blank lines before its names', ';;;\n;;;\na;b;;\n1;2;;\n3;4;;\n', [4, 5]],
    ['tabs before its names', 'a\tb\t\t\n1\t2\t\t\n3\t4\t\t', [2, 3]],
  ])('with %s, as spreadsheets leave them, is what it says', async (_, text, at) => {
    for (const size of [1, 1000]) {
      expect(await csv(text, size)).toEqual([
        { line: at[0], record: { a: '1', b: '2' } },
        { line: at[1], record: { a: '3', b: '4' } },
      ]);
    }
  });

  test('of one quoted name has whatever else than commas in its cells', async () => {
    expect(records(await csv('"a"\n1\t2;3\n'))).toEqual([{ a: '1\t2;3' }]);
  });

  test('says at what it was taken apart, where its first line names nothing that is taken', async () => {
    for (const [text, words] of [
      ['a|rating\n', 'commas (columns: 1)'],
      ['x;y\n', 'semicolons (columns: 2)'],
      ['x\ty\tz\n', 'tabs (columns: 3)'],
      ['sep=|\nx\n', 'bars (columns: 1)'],
    ] as const) {
      await expect(csv(text)).rejects.toThrow(`It was taken apart at ${words}`);
    }
  });

  test('that is none, or in another encoding, or without an end, is refused', async () => {
    await expect(csv('a\n"b')).rejects.toThrow('The file is not CSV: Quote Not Closed');
    await expect(csv('a\n"b"c\n')).rejects.toThrow('The file is not CSV');
    for (const before of ['a\n\xe9\n', 'a\n1\n2\n3\n\xe9\n', 'a\n\xe9']) {
      const latin1 = csv(Buffer.from(before, 'latin1'));
      await expect(latin1).rejects.toThrow(/^The file is not in UTF-8/);
    }

    await expect(csv(`a\n"${'x'.repeat(maxRecordCharacters + 100)}"\n`, 65_536)).rejects.toThrow();
  });

  test.each([1, 7, 1000])('in UTF-16 is refused, read by pieces of %i bytes', async (size) => {
    for (const text of ['a,b\r\n1,2\r\n', 'a\n1\n', 'a,b', '{"a":1}\n{"a":2}\n']) {
      for (const mark of ['', '\ufeff']) {
        const little = Buffer.from(`${mark}${text}`, 'utf16le');
        for (const bytes of [little, Buffer.from(little).swap16()]) {
          const reading = collect(readJsonLines(decoded(pieces(bytes, size))));
          await expect(reading).rejects.toThrow(/^The file is not in UTF-8/);
        }
      }
    }
    expect(records(await csv('a\n1\0\n', size))).toEqual([{ a: '1\0' }]);
  });

  test('with a quote that has no end is refused with the line on which its record begins', async () => {
    const filler = 'y\n'.repeat(maxRecordCharacters);
    for (const [begun, line] of [
      ['a\n"b', 2],
      ['"a', 1],
      ['sep=;\n"a', 2],
      ['sep=,\r\na\r\n"b', 3],
      ['a\n"x\ny"\n\n\n"b', 6],
    ] as const) {
      for (const text of [begun, `${begun}${filler}`]) {
        const refused = expect(csv(text, 65_536)).rejects;
        await refused.toThrow(new RegExp(`^The file is not CSV: .* begins on line ${line}\\.$`));
      }
    }
  });

  test('whose first line has no end is refused before all of it is read', async () => {
    let taken = 0;
    async function* endless() {
      for (; taken < 200; taken += 1) yield 'x'.repeat(65_536);
    }
    await expect(collect(readCsv(endless(), { mapping: new Map() }))).rejects.toThrow(
      'The file is not CSV',
    );
    expect(taken).toBeLessThan(100);
  });

  test('of one column has whatever else than commas in its cells', async () => {
    expect(records(await csv('a\n1\t2;3\n'))).toEqual([{ a: '1\t2;3' }]);
  });

  test('names that objects have of their own are names like others', async () => {
    const [line] = await csv('__proto__,constructor,a\n1,2,3\n');
    expect(line && 'record' in line && Object.entries(line.record)).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
      ['a', '3'],
    ]);
  });
});

describe('JSON lines', () => {
  test('are objects, one on each line', async () => {
    expect(await jsonLines('\ufeff{"a":1}\r\n\r\n{"a":"é"}\n[1]\n{\nnull\n{"a":2}')).toEqual([
      { line: 1, record: { a: 1 } },
      { line: 3, record: { a: 'é' } },
      { line: 4, problem: 'is no JSON object' },
      { line: 5, problem: 'is not JSON' },
      { line: 6, problem: 'is no JSON object' },
      { line: 7, record: { a: 2 } },
    ]);
  });

  test.each([1, 2, 65_536])(
    'in a list are refused with what to do, in pieces of %i',
    async (size) => {
      for (const text of ['[{"a":1},{"a":2}]', '\r\n [\n  {\n    "a": 1\n  }\n]\n']) {
        await expect(jsonLines(text, size)).rejects.toThrow(
          /^The file is a JSON list\. Write each/,
        );
      }
    },
  );

  test('without an end are refused', async () => {
    await expect(jsonLines('x'.repeat(maxRecordCharacters + 1), 65_536)).rejects.toThrow('Line 1');
  });
});

const cell = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', '\n', '"', ',', ';', ' ', '＝', 'a'),
  }),
);

describe('formulas', () => {
  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', "'=1", "''@"])(
    '%j becomes a text, and what it was again',
    (text) => {
      expect(escapeFormula(text)).toBe(`'${text}`);
      expect(unescapeFormula(escapeFormula(text))).toBe(text);
    },
  );

  test('what is none is left alone', () => {
    for (const text of ['', 'a=1', "'", "it's", "'quoted'", ' =1', '5']) {
      expect([escapeFormula(text), unescapeFormula(text)]).toEqual([text, text]);
    }
  });

  test('whatever a cell holds, it begins like no formula, and comes back', () => {
    fc.assert(
      fc.property(cell, (text) => {
        expect(escapeFormula(text)).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
        expect(unescapeFormula(escapeFormula(text))).toBe(text);
      }),
    );
  });
});

test('what is written as CSV is read as it was, whatever it holds and however it arrives', async () => {
  const row = fc.record({
    ...Object.fromEntries(columnNames.map((name) => [name, fc.option(cell)])),
    rating: fc.option(fc.integer({ min: 1, max: 5 })),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 50 }),
      async (rows, size) => {
        const writer = csvWriter();
        for (const one of rows) writer.write(one);
        writer.end();
        const written = Buffer.concat(await writer.map((chunk) => Buffer.from(chunk)).toArray());
        const expected = rows.map((one) => ({
          ...one,
          rating: one.rating === null ? null : String(one.rating),
        }));
        expect(records(await csv(written, size))).toEqual(expected);
      },
    ),
    { numRuns: 200 },
  );
});

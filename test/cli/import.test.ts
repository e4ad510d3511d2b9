import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importScript } from '@/src/cli/import';
import { provideEnv } from '@/src/env';
import { newAccount, rowsOf } from './accounts';
import { run } from './run';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'testimonials-import-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

afterEach(() => provideEnv({ ACCOUNT_QUOTA_BYTES: '' }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const head = 'submitter_name,submitter_email,rating,created_at';
const lines = (count: number) =>
  Array.from(
    { length: count },
    (_, i) => `Ada ${i},ada${i}@example.com,${(i % 5) + 1},2019-01-0${(i % 9) + 1}`,
  );

test('a CSV file becomes testimonials of the space, with their dates and events, in batches', async () => {
  const { tenant, to } = await newAccount();
  const path = file('good.csv', [head, ...lines(1001)].join('\n'));
  const outcome = await run(importScript, [...to, path]);
  expect(outcome).toEqual({
    code: 0,
    printed: ['1001 lines: 1001 created, 0 updated, 0 skipped, 0 failed'],
    said: [],
  });
  expect(existsSync(`${path}.failed.csv`)).toBe(false);
  const [first] = await rowsOf(tenant);
  expect(first).toMatchObject({
    submitter_name: expect.stringMatching(/^Ada/),
    created_at: '2019-01-01T00:00:00.000000+00:00',
    type: 'text',
    status: 'pending',
  });
  expect(await tenant.events()).toHaveLength(1001);
});

test('a table without a column for the space, and without --space, is told at once as a whole', async () => {
  const { tenant, email, space } = await newAccount();
  const path = file('spaceless.csv', [head, ...lines(2)].join('\n'));
  const nowhere = await run(importScript, ['--email', email, path]);
  expect(nowhere).toMatchObject({ code: 1, printed: [] });
  expect(nowhere.said.join()).toContain('Give --space');
  expect(existsSync(`${path}.failed.csv`)).toBe(false);
  const named = file(
    'named.csv',
    [`${head},room`, ...lines(2).map((line) => `${line},${space}`)].join('\n'),
  );
  const mapped = await run(importScript, ['--email', email, named, '--map', 'room=space_id']);
  expect(mapped.code).toBe(0);
  expect(await rowsOf(tenant)).toHaveLength(2);
});

test('a second run, also of a file that has grown, creates nothing twice', async () => {
  const { tenant, to } = await newAccount();
  const some = lines(5);
  const path = file('twice.csv', [head, ...some.slice(0, 3), ...some.slice(0, 1)].join('\n'));
  const first = await run(importScript, [...to, path]);
  expect(first.printed).toEqual(['4 lines: 3 created, 0 updated, 1 skipped, 0 failed']);
  file('twice.csv', [head, ...some].join('\r\n'));
  const second = await run(importScript, [...to, path, '--no-events']);
  expect(second.printed).toEqual(['5 lines: 2 created, 0 updated, 3 skipped, 0 failed']);
  expect(await rowsOf(tenant)).toHaveLength(5);
  expect(await tenant.events()).toHaveLength(3);
});

test('lines that are not valid are listed with the reason, and the others are imported', async () => {
  const { tenant, to } = await newAccount();
  const bad = ['"=Bo, "",",bo@example.com,9,2019-01-01', 'Cy,cy,5,tomorrow', 'Di', ...lines(1)];
  const path = file('bad.csv', [head, ...bad].join('\n'));
  const report = join(folder, 'report.csv');
  const { code, printed, said } = await run(importScript, [...to, path, '--report', report]);
  expect([code, printed]).toEqual([1, ['4 lines: 1 created, 0 updated, 0 skipped, 3 failed']]);
  expect(said).toEqual([`3 of 4 lines were not imported: see ${report}.`]);
  expect(readFileSync(report, 'utf8').split('\n')).toEqual([
    'line,field,reason',
    '4,,"has 1 cells, and the first line 4"',
    '2,rating,must be a whole number from 1 to 5',
    '3,submitter_email,must be an e-mail address of at most 320 characters',
    '3,created_at,"must be a date in the past that begins with the year, such as 2019-05-04 or 2019-05-04 08:15"',
    '',
  ]);
  expect(await rowsOf(tenant)).toHaveLength(1);
});

test('the report of an earlier run goes with the next, and another file of its name stays', async () => {
  const { to } = await newAccount();
  const path = file('mended.csv', [head, ...lines(1).map((line) => `${line},more`)].join('\n'));
  const report = `${path}.failed.csv`;
  expect(await run(importScript, [...to, path])).toMatchObject({ code: 1 });
  expect(existsSync(report)).toBe(true);
  file('mended.csv', [head, ...lines(1)].join('\n'));
  expect(await run(importScript, [...to, path])).toMatchObject({ code: 0 });
  expect(existsSync(report)).toBe(false);
  const other = file('notes.csv', 'line,of mine');
  expect(await run(importScript, [...to, path, '--report', other])).toMatchObject({ code: 0 });
  expect(readFileSync(other, 'utf8')).toBe('line,of mine');
});

test('an empty name of a report is one that is left out', async () => {
  const { to } = await newAccount();
  const path = file('unnamed.csv', [head, ...lines(1).map((line) => `${line},more`)].join('\n'));
  const { code, said } = await run(importScript, [...to, path, '--report', '']);
  const report = `${path}.failed.csv`;
  expect([code, said]).toEqual([1, [`1 of 1 lines were not imported: see ${report}.`]]);
  expect(existsSync(report)).toBe(true);
});

test('a dry run says what would be, and stores nothing', async () => {
  const { tenant, to } = await newAccount();
  const path = file('dry.csv', [head, ...lines(3)].join('\n'));
  const { code, printed, said } = await run(importScript, [...to, path, '--dry-run']);
  expect([code, printed, said]).toEqual([
    0,
    ['3 lines: 3 created, 0 updated, 0 skipped, 0 failed'],
    ['This was a dry run: nothing is stored.'],
  ]);
  expect([await rowsOf(tenant), await tenant.events()]).toEqual([[], []]);
});

test('columns are mapped, standard input is read, and update changes what is there', async () => {
  const { tenant, to } = await newAccount();
  const args = [...to, '-', '--map', 'Kunde=submitter_name', '--map', 'E=Mail=submitter_email'];
  const text = 'id;Kunde;E=Mail;text_content\n1;Ada;a@example.com;Gut\n2;Bo;b@example.com;So so\n';
  expect((await run(importScript, args, text)).printed).toEqual([
    '2 lines: 2 created, 0 updated, 0 skipped, 0 failed',
  ]);
  const changed = text.replace('Gut', '"Gut; sehr gut"');
  const again = await run(importScript, [...args, '--on-duplicate', 'update'], changed);
  expect(again.printed).toEqual(['2 lines: 0 created, 1 updated, 1 skipped, 0 failed']);
  const rows = await rowsOf(tenant);
  expect(rows.map((row) => [row.external_id, row.submitter_name, row.text_content]).sort()).toEqual(
    [
      ['1', 'Ada', 'Gut; sehr gut'],
      ['2', 'Bo', 'So so'],
    ],
  );
});

test('a file that has a mapped column twice is refused before anything is stored', async () => {
  const { tenant, to } = await newAccount();
  const path = file('two.csv', 'Kunde,submitter_email,Kunde\nAda,a@example.com,Bo\n');
  const { code, said } = await run(importScript, [...to, path, '--map', 'Kunde=submitter_name']);
  expect([code, said]).toEqual([
    1,
    ['The file has two columns that are called "Kunde": rename one.'],
  ]);
  expect(await rowsOf(tenant)).toEqual([]);
});

test('two columns that are mapped to one field are refused, as are two names of one in JSON', async () => {
  const { tenant, to } = await newAccount();
  const mapped = ['--map', 'Given=submitter_name', '--map', 'Family=submitter_name'];
  const csv = file('names.csv', 'Given,Family,submitter_email\nAda,Lovelace,a@example.com\n');
  const refused = await run(importScript, [...to, csv, ...mapped]);
  expect([refused.code, refused.said]).toEqual([
    1,
    ['The file has two columns that are mapped to "submitter_name": map one.'],
  ]);
  const rows = [
    { Given: 'Ada', Family: 'Lovelace' },
    { Given: 'Bo' },
    { Given: 'Cy', Family: null },
    { Given: null, Family: 'Di' },
  ];
  const email = { submitter_email: 'a@example.com', rating: 5 };
  const lines = rows.map((row) => JSON.stringify({ ...row, ...email }));
  const path = file('names.jsonl', lines.join('\n'));
  const { code, printed } = await run(importScript, [...to, path, ...mapped]);
  expect([code, printed]).toEqual([1, ['4 lines: 3 created, 0 updated, 0 skipped, 1 failed']]);
  expect(readFileSync(`${path}.failed.csv`, 'utf8')).toContain('\n1,submitter_name,');
  const names = (await rowsOf(tenant)).map((row) => row.submitter_name);
  expect(names.toSorted()).toEqual(['Bo', 'Cy', 'Di']);
});

test('a file without a line of names is refused, and one with nothing else is empty', async () => {
  const { tenant, to } = await newAccount();
  const path = file('bare.csv', lines(1).join());
  const { code, printed, said } = await run(importScript, [...to, path]);
  expect({ code, printed, said }).toEqual({
    code: 1,
    printed: [],
    said: [
      'The first line names no column that is known. Say with --map which of its columns is which field: see --help. It was taken apart at commas (columns: 4); a line such as "sep=|" before it says where else.',
    ],
  });
  expect(await rowsOf(tenant)).toEqual([]);
  expect(await run(importScript, [...to, file('head.csv', head)])).toMatchObject({ code: 0 });
});

test('a CSV file without any line is said to be empty, and is no success; JSON lines of nothing are', async () => {
  const { to } = await newAccount();
  for (const path of [file('none.csv', ''), file('blank.csv', '\ufeff\r\n')]) {
    const { code, printed, said } = await run(importScript, [...to, path]);
    expect({ code, printed }).toEqual({ code: 1, printed: [] });
    expect(said).toEqual(['The file is empty: no line names its columns.']);
  }
  // As the export of an account without a testimonial is.
  expect(await run(importScript, [...to, file('none.jsonl', '')])).toMatchObject({ code: 0 });
});

test('JSON lines are told by the name of the file', async () => {
  const { tenant, email, space } = await newAccount();
  const row = {
    space_id: space,
    submitter_name: 'Ada',
    submitter_email: 'a@example.com',
    rating: 5,
  };
  const path = file('rows.jsonl', `${JSON.stringify(row)}\n[]\n`);
  const { code, printed } = await run(importScript, ['--email', email, path]);
  expect([code, printed]).toEqual([1, ['2 lines: 1 created, 0 updated, 0 skipped, 1 failed']]);
  expect(await rowsOf(tenant)).toEqual([expect.objectContaining(row)]);
});

test('without room nothing of the batch is stored, and the reason is one line', async () => {
  const { tenant, to } = await newAccount();
  provideEnv({ ACCOUNT_QUOTA_BYTES: '1' });
  const { code, said } = await run(importScript, [
    ...to,
    file('full.csv', [head, ...lines(2)].join('\n')),
  ]);
  provideEnv({ ACCOUNT_QUOTA_BYTES: '' });
  expect([code, said]).toEqual([1, [expect.stringContaining('stores as much as it may')]]);
  expect(await rowsOf(tenant)).toEqual([]);
});

test.each([
  [['x.csv'], '--email is missing'],
  [['--email', 'a@example.com'], 'The file is missing'],
  [['a@example.com', 'x.csv'], 'file is given twice. npm hands on options only where they stand'],
  [['--email', 'a@example.com', 'x.csv', '--space', 'north'], '--space must be the id of a space'],
  [['--email', 'a@example.com', 'x.csv', '--map', 'a=b'], '--map must be of the form'],
  [
    ['--email', 'a@example.com', 'x.csv', '--map', 'a=rating', '--map', 'a=status'],
    '--map names a column twice',
  ],
  [
    ['--email', 'a@example.com', 'x.csv', '--on-duplicate', 'x'],
    '--on-duplicate must be skip or update',
  ],
  [['--email', 'a@example.com', 'x.csv', '--dry-run', '--dry-run'], '--dry-run is given twice'],
])('%j is one line and exit code 2', async (args, expected) => {
  const { code, said } = await run(importScript, args);
  expect([code, said]).toEqual([2, [expect.stringContaining(expected)]]);
});

test('a report that cannot be written ends the import with one line and exit code 1', async () => {
  const { to } = await newAccount();
  const path = file('bad.csv', [head, ...lines(3).map((line) => `${line},more`)].join('\n'));
  const report = join(folder, 'nowhere', 'report.csv');
  const { code, printed, said } = await run(importScript, [...to, path, '--report', report]);
  expect({ code, printed }).toEqual({ code: 1, printed: [] });
  expect(said).toEqual([expect.stringContaining(report)]);
});

test('the report cannot be the file that is read, by whatever name', async () => {
  const { to, tenant } = await newAccount();
  const text = [head, ...lines(2).map((line) => `${line},more`)].join('\n');
  const path = file('kept.csv', text);
  symlinkSync(path, join(folder, 'other-name.csv'));
  for (const report of [path, join(folder, 'other-name.csv')]) {
    const { code, said } = await run(importScript, [...to, path, '--report', report]);
    expect([code, said]).toEqual([2, [expect.stringContaining('--report is the file')]]);
  }
  expect(readFileSync(path, 'utf8')).toBe(text);
  expect(await rowsOf(tenant)).toEqual([]);
});

test('a column that --map names and no line has is told of', async () => {
  const { to } = await newAccount();
  const mapped = ['--map', 'Name=submitter_name', '--map', 'Compny=submitter_company'];
  const told = 'No line has "Compny", which --map names.';
  const records = [
    ['of.csv', 'Name,submitter_email\nAda,ada@example.com'],
    ['of.jsonl', '{"Name":"Ada","submitter_email":"ada@example.com","rating":1}'],
  ] as const;
  for (const [name, text] of records) {
    const { said, code } = await run(importScript, [...to, file(name, text), ...mapped]);
    expect([code, said]).toEqual([0, [told]]);
  }
});

test.each([
  ['a folder', (path: string) => path, 'cannot be read: EISDIR'],
  [
    'a path through a file',
    (path: string) => join(path, 'plain', 'a.csv'),
    'ENOTDIR: not a directory, open',
  ],
])('%s instead of a file is one line that names it', async (_, of, reason) => {
  const { to } = await newAccount();
  file('plain', '');
  const path = of(folder);
  const { code, printed, said } = await run(importScript, [...to, path]);
  expect({ code, printed }).toEqual({ code: 1, printed: [] });
  expect(said).toEqual([expect.stringContaining(reason)]);
  expect(said).toEqual([expect.stringContaining(path)]);
});

test('a file, a space or an account that is not there is one line and exit code 1', async () => {
  const { to, email } = await newAccount();
  const { space } = await newAccount();
  for (const args of [
    [...to, join(folder, 'nowhere.csv')],
    ['--email', email, '--space', space, file('a.csv', head)],
    ['--email', 'nobody@example.com', file('a.csv', head)],
  ]) {
    const { code, said } = await run(importScript, args);
    expect([code, said.length]).toEqual([1, 1]);
  }
});

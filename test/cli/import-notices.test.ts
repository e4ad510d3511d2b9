import { join } from 'node:path';
import { importScript } from '@/src/cli/import';
import { onLinux } from '../helpers/on-linux';
import { newAccount } from './accounts';
import { run } from './run';

test('values whose name is no field are told of, but for what exports of ours have besides', async () => {
  const { to } = await newAccount();
  const names = 'id,submitter_name,submitter_email,Rating,Note,user_id,shares';
  const csv = `${names}\n1,Ada,ada@example.com,5,,x,0\n2,Bo,bo@example.com,,"",x,0\n`;
  const told = 'Left out was what is called "Rating": no field is. --map says which field one is.';
  expect(await run(importScript, [...to, '-'], csv)).toMatchObject({ code: 0, said: [told] });
  const mapped = await run(importScript, [...to, '-', '--map', 'Rating=rating'], csv);
  expect(mapped).toMatchObject({ code: 0, said: [] });
});

test('of many such names the first ten are told', async () => {
  const { to } = await newAccount();
  const record = { submitter_name: 'Ada', submitter_email: 'ada@example.com', Note: null };
  const records = Array.from({ length: 20 }, (_, i) => ({ ...record, [`n${i}`]: i }));
  const jsonl = records.map((one) => JSON.stringify(one)).join('\n');
  const { said } = await run(importScript, [...to, '-', '--format', 'jsonl'], jsonl);
  expect(said).toEqual([expect.stringMatching(/^Left out was what is called "n0", .*, "n9": /)]);
});

test.each([
  ['id', []],
  ['external_id', []],
  ['No', ['--map', 'No=external_id']],
])('ids that a spreadsheet has shortened are told of in a column %s', async (name, map) => {
  const { to } = await newAccount();
  const said = async (ids: string[]) => {
    const lines = ids.map((id) => `${id};Ada;ada@example.com\n`).join('');
    const csv = `${name};submitter_name;submitter_email\n${lines}`;
    return (await run(importScript, [...to, '-', ...map], csv)).said;
  };
  expect(await said(['1,23457E+18', '1.23456789012346E+018', '1E+15'])).toEqual([
    expect.stringMatching(/^3 of 3 lines have an id such as 1\.23457E\+18, .* as text\.$/),
  ]);
  expect(await said(['1E5', '12e10'])).toEqual([]);
  expect(await said(['1234567890123456789', 'x1.2E+18'])).toEqual([]);
});

test('ids in JSON of more digits than a number keeps are told of, and those in quotes are not', async () => {
  const { to } = await newAccount();
  const said = async (ids: string[]) => {
    const fields = '"submitter_name":"Ada","submitter_email":"ada@example.com"';
    const jsonl = ids.map((id) => `{"id":${id},${fields}}\n`).join('');
    return (await run(importScript, [...to, '-', '--format', 'jsonl'], jsonl)).said;
  };
  expect(await said(['1234567890123456788', '1234567890123456789', '9007199254740991'])).toEqual([
    expect.stringMatching(/^2 of 3 lines have a number of more than 15 digits .* as text\.$/),
  ]);
  expect(await said(['"1234567890123456788"', '1', 'null'])).toEqual([]);
});

test('of two columns for the id, the one is looked at by which lines are known', async () => {
  const { tenant, to } = await newAccount();
  const csv = 'external_id,No,submitter_name,submitter_email\na,1.23457E+18,Ada,ada@example.com\n';
  const { said } = await run(importScript, [...to, '-', '--map', 'No=external_id'], csv);
  expect(said).toEqual([expect.stringMatching(/^1 of 1 lines have an id such as /)]);
  const { body } = await tenant.api.get('/testimonials?external_id=1.23457E%2B18');
  expect(body.pagination.total).toBe(1);
});

test('letters that were misread before the file was written are told of, and others are not', async () => {
  const { to } = await newAccount();
  const said = async (names: string[]) => {
    const lines = names.map((name) => `${name},ada@example.com\n`).join('');
    const csv = `submitter_name,submitter_email\n${lines}`;
    return (await run(importScript, [...to, '-', '--dry-run'], csv)).said.slice(0, -1);
  };
  const misread = ['JÃ¼rgen', 'itâ€™s', 'itâ\u0080\u0099s', 'J\ufffdrgen'];
  // As Windows reads it: Weiß, Österreich, Éric, Ñandú, Jiří, Gęś, Čapek, Иван.
  misread.push('WeiÃŸ', 'Ã–sterreich', 'Ã‰ric', 'Ã‘andu', 'JiÅ™i', 'GÄ™Å›', 'ÄŒapek', 'Ð˜Ð²Ð°Ð½');
  expect(await said([...misread, 'Jürgen'])).toEqual([
    expect.stringMatching(/^12 of 13 lines have what letters become in the wrong encoding/),
  ]);
  expect(
    await said([
      'JOÃO',
      'Jürgen',
      'it’s',
      '20 €',
      'â',
      '名前 😀',
      '“MAÇÃ” – É',
      '»Å«',
      '„Ä“',
      'Ñu',
    ]),
  ).toEqual([]);
});

test('what is wrong with a file as a whole is told after what was imported before', async () => {
  const { tenant, to } = await newAccount();
  const lines = Array.from({ length: 2001 }, (_, i) => `Ada ${i},ada@example.com`);
  const csv = `submitter_name,submitter_email\n${lines.join('\n')}\n"Bo,`;
  const refusal = expect.stringContaining('The record begins on line 2003.');
  const tried = await run(importScript, [...to, '-', '--dry-run'], csv);
  expect(tried).toEqual({ code: 1, printed: [], said: [refusal] });
  const { code, printed, said } = await run(importScript, [...to, '-', '--no-events'], csv);
  const { total } = (await tenant.api.get('/testimonials?limit=1')).body.pagination;
  expect({ code, printed, said }).toEqual({
    code: 1,
    printed: [],
    said: [`Before it failed: ${total} created, 0 updated, 0 skipped, 0 failed.`, refusal],
  });
});

onLinux('a report for which there is no room is told of by its name', async () => {
  const { to } = await newAccount();
  const csv = 'submitter_name,submitter_email\nAda,ada\n';
  const outcome = await run(importScript, [...to, '-', '--report', '/dev/full'], csv);
  expect(outcome).toEqual({
    code: 1,
    printed: [],
    said: [expect.stringMatching(/^\/dev\/full cannot be written: ENOSPC/)],
  });
});

test('what was wrong with the file is told also where its report cannot be written', async () => {
  const { to } = await newAccount();
  const csv = 'submitter_name,submitter_email\nAda,ada@example.com,more\n"Bo,';
  const report = join(__dirname, 'nowhere', 'report.csv');
  const { code, said } = await run(importScript, [...to, '-', '--report', report], csv);
  expect(code).toBe(1);
  expect(said).toEqual([
    expect.stringContaining(report),
    expect.stringContaining('The record begins on line 3.'),
  ]);
});

test('what was imported is told also where the report of the other lines cannot be written', async () => {
  const { to } = await newAccount();
  const csv = 'submitter_name,submitter_email\nAda,ada@example.com\nBo,bo@example.com,more\n';
  const report = join(__dirname, 'nowhere', 'report.csv');
  const outcome = await run(importScript, [...to, '-', '--report', report], csv);
  expect(outcome).toEqual({
    code: 1,
    printed: [],
    said: [
      'Before it failed: 1 created, 0 updated, 0 skipped, 1 failed.',
      expect.stringContaining(report),
    ],
  });
});

onLinux('a report that has no more room is told of once, by its name', async () => {
  const { to } = await newAccount();
  const csv = `submitter_name,submitter_email\n${'Ada,ada@example.com,more\n'.repeat(3000)}`;
  const outcome = await run(importScript, [...to, '-', '--report', '/dev/full'], csv);
  expect(outcome).toEqual({
    code: 1,
    printed: [],
    said: [expect.stringMatching(/^\/dev\/full cannot be written: ENOSPC/)],
  });
});

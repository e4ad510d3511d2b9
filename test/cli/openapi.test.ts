import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApiScript } from '@/src/cli/openapi';
import { openApiDocument } from '@/src/rest/openapi/document';
import { onLinux } from '../helpers/on-linux';
import { run } from './run';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'openapi-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

test('the document goes into a file or to standard output, with a line feed at its end', async () => {
  const file = join(folder, 'openapi.json');
  expect(await run(openApiScript, [file])).toEqual({
    code: 0,
    printed: [],
    said: [`The document is in ${file}.`],
  });
  const { code, printed } = await run(openApiScript, []);
  expect([code, `${printed[0]}\n`]).toEqual([0, readFileSync(file, 'utf8')]);
  expect(JSON.parse(printed[0] ?? '')).toEqual(JSON.parse(openApiDocument()));
});

test('a file that cannot be written is one line and exit code 1', async () => {
  const file = join(folder, 'nowhere', 'openapi.json');
  const { code, printed, said } = await run(openApiScript, [file]);
  expect({ code, printed }).toEqual({ code: 1, printed: [] });
  expect(said).toEqual([expect.stringContaining(file)]);
});

onLinux('a file for which there is no room is told of by its name', async () => {
  expect(await run(openApiScript, ['/dev/full'])).toEqual({
    code: 1,
    printed: [],
    said: [expect.stringMatching(/^\/dev\/full cannot be written: ENOSPC/)],
  });
});

test.each([
  ['an option that there is not', ['--out', 'openapi.json'], "'--out'"],
  ['two files', ['a.json', 'b.json'], 'file is given twice'],
])('%s is one line and exit code 2', async (_, args, expected) => {
  const { code, said } = await run(openApiScript, args);
  expect([code, said]).toEqual([2, [expect.stringContaining(expected)]]);
});

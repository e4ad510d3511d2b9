import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os, { tmpdir } from 'node:os';
import { join } from 'node:path';
import { examine, type Finding } from '@/src/cli/doctor/finding';
import { machineChecks } from '@/src/cli/doctor/machine';
import { parseEnv } from '@/src/env';
import { temporaryFolderPrefix } from '@/src/file-system/temporary-folder';

let freeBytes: Record<string, number> = {};

jest.mock('@/src/database/embedded/free-space', () => ({
  ...jest.requireActual('@/src/database/embedded/free-space'),
  freeBytes: (folder: string) => freeBytes[folder],
}));

const miB = 1024 ** 2;
const folder = mkdtempSync(join(tmpdir(), 'doctor-machine-'));

beforeEach(() => {
  freeBytes = { [folder]: 512 * miB, [tmpdir()]: 1024 * miB };
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What is found about a data folder. */
async function findings(about: string, dataFolder: string, settings: Record<string, string> = {}) {
  const found: Finding[] = [];
  const checks = machineChecks(parseEnv({ ...settings, DATA_FOLDER: dataFolder }));
  for await (const finding of examine(checks, 10_000)) found.push(finding);
  return found.filter((one) => one.about === about);
}

/** The same as whether it is well, and what is said. */
async function look(...what: Parameters<typeof findings>) {
  return (await findings(...what)).map(({ state, says }) => [state, says]);
}

const ownFolders = () =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(temporaryFolderPrefix));

test.each([
  [512 * miB, 'well'],
  [512 * miB - 1, 'doubtful'],
  [32 * miB, 'doubtful'],
  [32 * miB - 1, 'bad'],
])('a disk with %d bytes free for the database is %s', async (bytes, state) => {
  freeBytes[folder] = bytes;
  const says = `${Math.floor(bytes / miB)} MiB are free for ${folder}`;
  expect((await look('disk', folder))[0]).toEqual([state, says]);
});

const onServer = { DATABASE_URL: 'postgresql://user:password@127.0.0.1/database' };
const elsewhere = {
  ...onServer,
  SECRET_KEY: 'k'.repeat(32),
  S3_ENDPOINT: 'https://s3.example.com',
  S3_BUCKET: 'files',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
};

test.each([
  ['that is embedded', {}, 'Make room: the database stops without.'],
  ['on a server', onServer, 'Make room: uploads find none.'],
])('what a full disk stops with a database %s is said', async (_, settings, mend) => {
  freeBytes[folder] = 0;
  const [found] = await findings('disk', folder, settings);
  expect(found).toMatchObject({ state: 'bad', mend });
});

test('where nothing is kept in the data folder, nothing is asked of it', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  freeBytes[folder] = 0;
  const within = join(file, 'data');
  expect(await look('data folder', within, elsewhere)).toEqual([
    ['well', 'nothing is kept in it: database, uploaded files and SECRET_KEY are elsewhere'],
  ]);
  expect(await look('disk', within, elsewhere)).toEqual([
    ['well', expect.stringContaining('for temporary files')],
  ]);
  const { SECRET_KEY: _, ...keyless } = elsewhere;
  expect(await look('data folder', within, keyless)).toEqual([['bad', expect.anything()]]);
  rmSync(file);
});

test.each([
  [1024 * miB, 'well'],
  [1024 * miB - 1, 'doubtful'],
])('%d bytes free for temporary files are %s', async (bytes, state) => {
  freeBytes[tmpdir()] = bytes;
  const says = `${Math.floor(bytes / miB)} MiB are free for temporary files in ${tmpdir()}`;
  const before = ownFolders();
  expect((await look('disk', folder))[1]).toEqual([state, says]);
  expect(ownFolders()).toEqual(before);
});

test('a folder for temporary files in which none can be made must be mended, and hides nothing else', async () => {
  const none = join(folder, 'file');
  writeFileSync(none, '');
  freeBytes[none] = 1024 * miB;
  const where = jest.spyOn(os, 'tmpdir').mockReturnValue(none);
  try {
    expect(await look('disk', folder)).toEqual([
      ['well', `512 MiB are free for ${folder}`],
      ['bad', expect.stringContaining(`no temporary file can be made in ${none}: ENOTDIR`)],
    ]);
  } finally {
    where.mockRestore();
    rmSync(none);
  }
});

test('of a data folder that is not there yet, the nearest above it is looked at, and nothing is left', async () => {
  const wanted = join(folder, 'not', 'there');
  expect(await look('data folder', wanted)).toEqual([['well', `${wanted} can be made`]]);
  expect(await look('data folder', folder)).toEqual([['well', `${folder} can be written`]]);
  expect((await look('disk', wanted))[0]).toEqual(['well', `512 MiB are free for ${wanted}`]);
  expect(readdirSync(folder)).toEqual([]);
});

test('a file in its place must be mended', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const found = await look('data folder', join(file, 'data'));
  expect(found).toEqual([['bad', expect.stringMatching(/cannot be written: .*ENOTDIR/)]]);
  rmSync(file);
});

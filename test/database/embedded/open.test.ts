import fs, { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type FolderLock, lockFolder } from '../../../src/database/embedded/folder-lock';
import { findEmbedded, openEmbedded, openTemporary } from '../../../src/database/embedded/open';
import { keptSnapshot } from '../../helpers/kept-snapshot';
import { startScript } from '../processes';
import { query } from '../query';

let folder: string;

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'embedded-')), 'not', 'there', 'yet');
});

afterEach(() => rmSync(join(folder, '../../..'), { recursive: true }));

async function countNumbers(url = 'none'): Promise<number> {
  const rows = await query(url, 'SELECT n FROM numbers');
  return rows.length;
}

test('a folder serves one process, and after kill -9 gives every answered row to the next', async () => {
  // What a process leaves that dies while it creates the database.
  mkdirSync(join(folder, 'postgres', 'base'), { recursive: true });
  writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '');
  writeFileSync(join(folder, 'postgres.incomplete'), '');

  const writer = startScript('embedded/writing-process.ts', folder);
  let written = 0;
  try {
    while (written < 100) written = Number(await writer.nextLine());
    await expect(openEmbedded({ folder })).rejects.toThrow(`in use by process ${writer.pid}`);
    const url = findEmbedded(folder);
    expect(url).toMatch(/^postgresql:\/\/postgres:[0-9a-f]{48}@127\.0\.0\.1:\d+\/postgres\?/);
    expect(await countNumbers(url)).toBeGreaterThanOrEqual(written);
  } finally {
    await writer.kill();
  }
  for (let line = await writer.nextLine(); line; line = await writer.nextLine()) {
    written = Number(line);
  }

  expect(findEmbedded(folder)).toBeUndefined();
  const next = await openEmbedded({ folder });
  expect(findEmbedded(folder)).toBe(next.url);
  expect(await countNumbers(next.url)).toBeGreaterThanOrEqual(written);
  await next.close();
  expect(findEmbedded(folder)).toBeUndefined();

  writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '17\n');
  await expect(openEmbedded({ folder })).rejects.toThrow(/made by Postgres 17.*pg_dump/s);
}, 180_000);

const addressesHere = Object.values(networkInterfaces()).flatMap((interfaces) => interfaces ?? []);
const onIPv6 = addressesHere.some(({ address }) => address === '::1') ? test : test.skip;

onIPv6('a machine that lacks the first address is served at the next', async () => {
  const addresses = ['203.0.113.1', '::1'];
  const { url, close } = await openTemporary({ addresses, ...keptSnapshot() });
  expect(url).toContain('@[::1]:');
  expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await close();
});

test('a damaged folder is refused with advice, not filled with an empty database', async () => {
  mkdirSync(join(folder, 'postgres', 'base'), { recursive: true });
  await expect(openEmbedded({ folder })).rejects.toThrow(/PG_VERSION is missing.*from a backup/s);
  // And it is free again for whoever repairs it.
  await expect(openEmbedded({ folder })).rejects.toThrow('PG_VERSION is missing');
});

test('a database that cannot be told of is closed before its folder is free', async () => {
  const listen = jest.spyOn(Worker.prototype, 'on');
  const rename = jest.spyOn(fs, 'renameSync').mockImplementationOnce(() => {
    throw new Error('The disk is full');
  });
  await expect(openEmbedded({ folder })).rejects.toThrow('The disk is full');
  const [worker] = listen.mock.contexts;
  // That of a thread that has ended.
  expect(worker?.threadId).toBe(-1);
  listen.mockRestore();
  rename.mockRestore();
  await (await openEmbedded({ folder })).close();
});

test('a folder is free once its database is closed, and not before', async () => {
  const listen = jest.spyOn(Worker.prototype, 'on');
  const database = await openEmbedded({ folder });
  const [worker] = listen.mock.contexts;
  const closing = database.close();
  let lock: FolderLock | undefined;
  while (!lock) {
    lock = await lockFolder(folder).catch(() => undefined);
    if (lock) expect(worker?.threadId).toBe(-1);
    else await turnOfEventLoop();
  }
  lock.release();
  await closing;
});

import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type FolderLock,
  lockFolder,
  readServedDatabase,
} from '../../../src/database/embedded/folder-lock';
import { startScript } from '../processes';

let folder: string;
let held: FolderLock[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'folder-lock-'));
});

afterEach(() => {
  for (const lock of held) lock.release();
  held = [];
  rmSync(folder, { recursive: true });
});

async function lock(): Promise<FolderLock> {
  const taken = await lockFolder(folder);
  held.push(taken);
  return taken;
}

/** Leaves a lock as another process would have; by default one that has long gone silent. */
function leaveLock(content: object, touchedSecondsAgo = 60): string {
  const path = join(folder, 'lock-1.json');
  writeFileSync(path, JSON.stringify({ host: hostname(), ...content }));
  const touched = new Date(Date.now() - touchedSecondsAgo * 1000);
  utimesSync(path, touched, touched);
  return path;
}

function lockFiles(): string[] {
  return readdirSync(folder);
}

test('a held folder is refused, naming the process; a released one is not', async () => {
  const first = await lock();
  await expect(lock()).rejects.toThrow(`in use by this process (${process.pid})`);
  first.release();
  await lock();
  expect(lockFiles()).toEqual(['lock-2.json']);
});

test('the lock is private and tells where the database is served', async () => {
  const first = await lock();
  expect(readServedDatabase(folder)).toBeUndefined();
  first.publish({ port: 5432, password: 'secret' });
  expect(readServedDatabase(folder)).toEqual({ port: 5432, password: 'secret' });
  expect(lockFiles()).toEqual(['lock-1.json']);
  expect(statSync(join(folder, 'lock-1.json')).mode & 0o777).toBe(0o600);
  first.release();
  expect(readServedDatabase(folder)).toBeUndefined();
});

test('a folder that does not exist serves nothing', () => {
  expect(readServedDatabase(join(folder, 'absent'))).toBeUndefined();
});

test.each([
  ['whose process is gone', { pid: 2 ** 30 }],
  ['whose process number was given to another process', { pid: process.pid, startedAt: 'then' }],
  ['of another host that has gone silent', { pid: 1, host: 'elsewhere' }],
  ['that a crash left unreadable', { pid: 'garbage' }],
])('a lock %s is taken over', async (_name, content) => {
  leaveLock({ ...content, service: { port: 1, password: 'old' } });
  expect(readServedDatabase(folder)).toBeUndefined();
  await lock();
  expect(lockFiles()).toEqual(['lock-2.json']);
});

test('a lock of another host that shows signs of life is refused', async () => {
  const path = leaveLock({ pid: 7, host: 'elsewhere' }, 0);
  const heartbeat = setInterval(() => utimesSync(path, new Date(), new Date()), 20);
  try {
    await expect(lock()).rejects.toThrow('in use by process 7 on host elsewhere');
  } finally {
    clearInterval(heartbeat);
  }
});

test('of processes that race for a stale lock exactly one wins', async () => {
  leaveLock({ pid: 2 ** 30 });
  const racers = Array.from({ length: 4 }, () => startScript('embedded/locking-process.ts'));
  try {
    for (const racer of racers) expect(await racer.nextLine()).toBe('waiting');
    for (const racer of racers) racer.write(folder);
    const outcomes = await Promise.all(racers.map((racer) => racer.nextLine()));
    const winner = racers[outcomes.indexOf('locked')];
    expect(outcomes.filter((outcome) => outcome === 'locked')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome?.includes(`process ${winner?.pid}`))).toHaveLength(
      3,
    );
  } finally {
    await Promise.all(racers.map((racer) => racer.kill()));
  }
});

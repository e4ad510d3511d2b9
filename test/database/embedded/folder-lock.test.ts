import fs, {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type FolderLock,
  lockFolder,
  readServedDatabase,
} from '../../../src/database/embedded/folder-lock';
import { identifyPlace, identifyProcess } from '../../../src/database/embedded/process-identity';
import { promised } from '../../helpers/promised';
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

async function lock(options?: Parameters<typeof lockFolder>[1]): Promise<FolderLock> {
  const taken = await lockFolder(folder, options);
  held.push(taken);
  return taken;
}

/** Leaves a lock as another process would have; by default one that has long gone silent. */
function leaveLock(content: object, touchedSecondsAgo = 60, number = 1): string {
  const path = join(folder, `lock-${number}.json`);
  writeFileSync(path, JSON.stringify({ ...identifyPlace(), ...content }));
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

test('a lock is released on a full disk too: that fails nobody, leaves no draft, and the next one gets it', async () => {
  const first = await lock();
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  const write = jest.spyOn(fs, 'writeFileSync').mockImplementation((path) => {
    fs.closeSync(fs.openSync(String(path), 'w'));
    throw full;
  });
  try {
    first.release();
    expect(write).toHaveBeenCalledTimes(1);
    await expect(lock()).rejects.toThrow('ENOSPC');
  } finally {
    write.mockRestore();
  }
  expect(lockFiles()).toEqual(['lock-1.json']);
  await lock();
  expect(lockFiles()).toEqual(['lock-2.json']);
});

test('drafts that killed processes left go with the next one that takes the folder', async () => {
  const left = leaveLock({ pid: 2 ** 30 });
  for (const number of [1, 2]) {
    writeFileSync(join(folder, `lock-${number}.json.7.${crypto.randomUUID()}.draft`), '');
  }
  await lock();
  expect([lockFiles(), fs.existsSync(left)]).toEqual([['lock-2.json'], false]);
});

test('who is late with its draft, which another has removed, goes by what is there now', async () => {
  const link = jest.spyOn(fs, 'linkSync').mockImplementationOnce((draft, path) => {
    leaveLock({ pid: 2 ** 30 });
    rmSync(draft);
    fs.linkSync(draft, path);
  });
  try {
    await lock();
    expect(link).toHaveBeenCalledTimes(3);
  } finally {
    link.mockRestore();
  }
  expect(lockFiles()).toEqual(['lock-2.json']);
});

test('the lock is private and tells where the database is served', async () => {
  const first = await lock();
  expect(readServedDatabase(folder)).toBeUndefined();
  first.publish({ host: '::1', port: 5432, password: 'secret' });
  expect(readServedDatabase(folder)).toEqual({
    host: '::1',
    port: 5432,
    password: 'secret',
  });
  expect(lockFiles()).toEqual(['lock-1.json']);
  expect(statSync(join(folder, 'lock-1.json')).mode & 0o777).toBe(0o600);
  first.release();
  expect(readServedDatabase(folder)).toBeUndefined();
});

test('what stands in the place of a lock and cannot be read is named', async () => {
  const path = join(folder, 'lock-3.json');
  mkdirSync(path);
  const says = `${path} cannot be read: EISDIR`;
  await expect(lock()).rejects.toThrow(says);
  expect(() => readServedDatabase(folder)).toThrow(says);
});

test('a folder that does not exist serves nothing', () => {
  expect(readServedDatabase(join(folder, 'absent'))).toBeUndefined();
});

test.each([
  ['whose process is gone', { pid: 2 ** 30 }],
  ['whose process number was given to another process', { pid: process.pid, startedAt: 'then' }],
  ['that a crash left unreadable', { pid: 'garbage' }],
])('a lock %s is taken over at once', async (_name, content) => {
  leaveLock({ ...content, service: { port: 1, password: 'old' } }, 0);
  expect(readServedDatabase(folder)).toBeUndefined();
  const said: string[] = [];
  await lock({ say: (line) => said.push(line) });
  expect(lockFiles()).toEqual(['lock-2.json']);
  expect(said).toEqual([]);
});

const elsewhere: [string, object, string][] = [
  ['of another host', { host: 'elsewhere' }, 'on host elsewhere'],
  ['of another container by this name', { namespace: 'other' }, 'in another container'],
];

test.each(elsewhere)('a lock %s that shows signs of life is refused', async (_, place, words) => {
  // Of a process with our number that began at another time, as each container's first.
  const holder = { pid: process.pid, startedAt: 'then', service: { port: 1, password: 'other' } };
  const path = leaveLock({ ...holder, ...place }, 0);
  const heartbeat = setInterval(() => utimesSync(path, new Date(), new Date()), 20);
  try {
    expect(readServedDatabase(folder)).toBeUndefined();
    await expect(lock()).rejects.toThrow(`in use by process ${process.pid} ${words}`);
  } finally {
    clearInterval(heartbeat);
  }
});

test.each(elsewhere)('a lock %s is taken over after silence, and it is said', async (_, place) => {
  leaveLock({ pid: process.pid, ...place }, 0);
  const said: string[] = [];
  await lock({ silenceMs: 0, say: (line) => said.push(line) });
  expect(lockFiles()).toEqual(['lock-2.json']);
  expect(said).toEqual([expect.stringMatching(/has not said that it ended.*waiting for 0 s/i)]);
});

test.each([
  ['a future', -86_400],
  ['a long past', 86_400],
])('the silence of another host is observed, whatever %s time its lock has', async (_, ago) => {
  const path = leaveLock({ pid: 7, host: 'elsewhere' }, ago);
  const heartbeat = setInterval(() => {
    ago += 1;
    utimesSync(path, Date.now() / 1000 - ago, Date.now() / 1000 - ago);
  }, 20);
  try {
    await expect(lock()).rejects.toThrow('in use by process 7 on host elsewhere');
  } finally {
    clearInterval(heartbeat);
  }
  await lock({ silenceMs: 0 });
  expect(lockFiles()).toEqual(['lock-2.json']);
});

test('a holder that another took for dead is told, once it runs again', async () => {
  const { promise: told, resolve: tell } = promised<void>();
  await lock({ heartbeatMs: 1, onLost: () => tell() });
  leaveLock({ pid: 7, host: 'elsewhere' }, 0, 2);
  rmSync(join(folder, 'lock-1.json'));
  await told;
});

test('a holder that stood still before it told where it serves is told that it lost the folder', async () => {
  jest.useFakeTimers();
  const onLost = jest.fn();
  const slept = await lock({ heartbeatMs: 10, onLost });
  leaveLock({ pid: 7, host: 'elsewhere' }, 0, 2);
  rmSync(join(folder, 'lock-1.json'));
  slept.publish({ host: '::1', port: 5432, password: 'secret' });
  jest.advanceTimersByTime(100);
  expect(onLost).toHaveBeenCalledTimes(1);
  jest.useRealTimers();
});

test('a holder that cannot look into its folder for a while has not lost it by that', async () => {
  jest.useFakeTimers();
  const onLost = jest.fn();
  await lock({ heartbeatMs: 10, onLost });
  const none = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
  const look = jest.spyOn(fs, 'readdirSync').mockImplementation(() => {
    throw none;
  });
  jest.advanceTimersByTime(100);
  expect(look).toHaveBeenCalled();
  look.mockRestore();
  expect(onLost).not.toHaveBeenCalled();
  jest.useRealTimers();
});

test('a holder whose folder is gone has lost it to nobody', async () => {
  jest.useFakeTimers();
  const onLost = jest.fn();
  await lock({ heartbeatMs: 10, onLost });
  rmSync(join(folder, 'lock-1.json'));
  jest.advanceTimersByTime(100);
  expect(onLost).not.toHaveBeenCalled();
  leaveLock({ pid: 7, host: 'elsewhere' }, 0, 2);
  jest.advanceTimersByTime(100);
  expect(onLost).toHaveBeenCalledTimes(1);
  jest.useRealTimers();
});

test('who waited while others took the folder and left it gives its number up', async () => {
  leaveLock({ pid: 7, host: 'elsewhere' });
  // Two were faster: of the first nothing is left, and the second is at work.
  const say = () => {
    rmSync(join(folder, 'lock-1.json'));
    leaveLock(identifyProcess(process.pid), 0, 3);
  };
  await expect(lock({ silenceMs: 0, say })).rejects.toThrow(`in use by this process`);
  expect(lockFiles()).toEqual(['lock-3.json']);
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

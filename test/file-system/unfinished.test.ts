import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, {
  existsSync,
  mkdtempSync,
  promises,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withNewFile, withUnfinished, withWholeFile } from '@/src/file-system/unfinished';
import { whatIsFlushed } from './flushed';

const folder = mkdtempSync(join(tmpdir(), 'unfinished-'));
const path = join(folder, 'file.part');
afterAll(() => rmSync(folder, { recursive: true }));

test('what is unfinished is gone where the task fails, and what was renamed stays', async () => {
  const failing = withUnfinished(path, async () => {
    writeFileSync(path, 'x');
    throw new Error('failed');
  });
  await expect(failing).rejects.toThrow('failed');
  expect(existsSync(path)).toBe(false);
  await withUnfinished(path, async () => {
    writeFileSync(path, 'x');
    renameSync(path, join(folder, 'file'));
  });
  expect(existsSync(join(folder, 'file'))).toBe(true);
  expect(process.listenerCount('SIGINT')).toBe(0);
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'what is unfinished is gone where %s ends the process, which ends by it',
  async (signal) => {
    const args = [
      '--require',
      require.resolve('tsx/cjs'),
      join(__dirname, 'unfinished-process.ts'),
    ];
    const child = spawn(process.execPath, [...args, path], { stdio: ['pipe', 'pipe', 'inherit'] });
    const [said] = await once(child.stdout, 'data');
    expect([String(said), existsSync(path)]).toEqual(['made\n', true]);
    const exited = once(child, 'exit');
    child.kill(signal);
    expect(await exited).toEqual([null, signal]);
    expect(existsSync(path)).toBe(false);
  },
);

test('a second signal, as npm sends one, does not end the process before all is gone', async () => {
  const heard: number[] = [];
  const kill = jest.spyOn(process, 'kill').mockReturnValue(true);
  const remove = fs.rmSync;
  const removing = jest.spyOn(fs, 'rmSync').mockImplementation((...args) => {
    heard.push(process.listenerCount('SIGINT'), process.listenerCount('SIGTERM'));
    process.emit('SIGINT', 'SIGINT');
    expect(kill).not.toHaveBeenCalled();
    remove(...args);
  });
  try {
    await withUnfinished(path, async () => {
      writeFileSync(path, 'x');
      process.emit('SIGINT', 'SIGINT');
      removing.mockRestore();
      expect(existsSync(path)).toBe(false);
    });
    expect(heard).toEqual([1, 1]);
    expect(kill.mock.calls).toEqual([[process.pid, 'SIGINT']]);
  } finally {
    removing.mockRestore();
    kill.mockRestore();
  }
});

test('what killed processes left of a file a day ago goes with the next of its name, and nothing else', async () => {
  const own = mkdtempSync(join(folder, 'left-'));
  const left = (name: string, hours: number) => {
    writeFileSync(join(own, name), 'x');
    const at = new Date(Date.now() - hours * 3_600_000);
    utimesSync(join(own, name), at, at);
  };
  left('a.backup.0123abcd.part', 25);
  left('a.backup.0123abce.part', 23);
  left('b.backup.0123abcd.part', 25);
  left('a.backup.mine.part', 25);
  left('a.backup.0123abcd.part.mine', 25);
  await withWholeFile(join(own, 'a.backup'), async (unfinished) => writeFileSync(unfinished, 'x'));
  expect(readdirSync(own).sort()).toEqual([
    'a.backup',
    'a.backup.0123abcd.part.mine',
    'a.backup.0123abce.part',
    'a.backup.mine.part',
    'b.backup.0123abcd.part',
  ]);
});

test('a new file that two write at once is that of the first, whole, and the other says that it is there', async () => {
  const own = mkdtempSync(join(folder, 'new-'));
  const file = join(own, 'a.backup');
  const second = withNewFile(file, async (unfinished) => {
    writeFileSync(unfinished, 'second');
    await withNewFile(file, async (other) => writeFileSync(other, 'first'));
  });
  await expect(second).rejects.toThrow(`${file} exists already. Name a new file.`);
  expect(readdirSync(own)).toEqual(['a.backup']);
  expect(readFileSync(file, 'utf8')).toBe('first');
});

test.each([withWholeFile, withNewFile])(
  'a disk that is full is told of with the file for which it was',
  async (write) => {
    const own = mkdtempSync(join(folder, 'full-'));
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
    });
    const file = join(own, 'a.backup');
    const writing = write(file, async () => Promise.reject(full));
    await expect(writing).rejects.toThrow(`${file} cannot be written: ${full.message}`);
    expect(readdirSync(own)).toEqual([]);
  },
);

test.each([withWholeFile, withNewFile])(
  'the disk has the name of a whole file too, once it is done',
  async (write) => {
    const own = mkdtempSync(join(folder, 'named-'));
    const flushed = await whatIsFlushed(() =>
      write(join(own, 'a.backup'), async (unfinished) => writeFileSync(unfinished, 'x')),
    );
    expect(flushed).toEqual(['folder']);
  },
);

test('where a file system has no links, a new file gets to its place all the same, and stays there', async () => {
  const own = mkdtempSync(join(folder, 'no-links-'));
  const file = join(own, 'a.backup');
  const noLinks = Object.assign(new Error('EPERM: operation not permitted'), { code: 'EPERM' });
  const link = jest.spyOn(promises, 'link').mockRejectedValue(noLinks);
  try {
    await withNewFile(file, async (unfinished) => writeFileSync(unfinished, 'first'));
    const again = withNewFile(file, async (unfinished) => writeFileSync(unfinished, 'second'));
    await expect(again).rejects.toThrow('exists already');
    expect(link).toHaveBeenCalledTimes(2);
  } finally {
    link.mockRestore();
  }
  expect(readdirSync(own)).toEqual(['a.backup']);
  expect(readFileSync(file, 'utf8')).toBe('first');
});

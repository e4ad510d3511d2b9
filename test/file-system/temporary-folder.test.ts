import { access, mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeAbandonedFolders, withTemporaryFolder } from '@/src/file-system/temporary-folder';

const hoursMs = 60 * 60 * 1000;
const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

test('a temporary folder is gone when its task has ended, also where it failed', async () => {
  let folder = '';
  const failing = withTemporaryFolder(async (path) => {
    folder = path;
    await writeFile(join(path, 'file'), 'x');
    throw new Error('failed');
  });
  await expect(failing).rejects.toThrow('failed');
  expect(await exists(folder)).toBe(false);
});

test('what a killed process left is removed a day later, and nothing else', async () => {
  const now = Date.now();
  const folders: [name: string, ageHours: number, isLeft: boolean][] = [
    [`testimonials-999999999-${now}-old`, 25, false],
    [`testimonials-999999999-${now}-new`, 23, true],
    [`testimonials-backup-${now}`, 25, true],
  ];
  const pathOf = (name: string) => join(tmpdir(), name);
  for (const [name, ageHours] of folders) {
    await mkdir(pathOf(name));
    await writeFile(join(pathOf(name), 'media'), 'x');
    const at = new Date(now - ageHours * hoursMs);
    await utimes(pathOf(name), at, at);
  }
  await removeAbandonedFolders(now);
  for (const [name, , isLeft] of folders) {
    expect([name, await exists(pathOf(name))]).toEqual([name, isLeft]);
    await rm(pathOf(name), { recursive: true, force: true });
  }
});

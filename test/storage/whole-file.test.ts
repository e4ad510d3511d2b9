import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withTemporaryFolder } from '@/src/file-system/temporary-folder';
import { writeWhole } from '@/src/storage/whole-file';

test('a file stands at its place once it is whole', async () => {
  await withTemporaryFolder(async (folder) => {
    const path = join(folder, 'file');
    await writeWhole(path, async (incoming) => {
      await writeFile(incoming, 'whole');
      expect(readdirSync(folder)).not.toContain('file');
    });
    expect(readdirSync(folder)).toEqual(['file']);
    expect(await readFile(path, 'utf8')).toBe('whole');
  });
});

test('of one that breaks off nothing is left', async () => {
  await withTemporaryFolder(async (folder) => {
    const full = new Error('no space left');
    const written = writeWhole(join(folder, 'file'), async (incoming) => {
      await writeFile(incoming, 'half');
      throw full;
    });
    await expect(written).rejects.toBe(full);
    expect(readdirSync(folder)).toEqual([]);
  });
});

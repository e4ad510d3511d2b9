import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { moveFiles } from '@/src/storage/moving';
import { createTenant } from '../helpers/accounts';
import { openBucket } from './bucket';
import { filesToMove, upload } from './files';

const folder = filesToMove();

test('of four that move the same files to the folder none fails, and nothing else is left', async () => {
  const { accountId } = await createTenant();
  for (let number = 0; number < 30; number++) await upload(folder, accountId, 'logo');
  await openBucket();
  // Not each time does one come upon what another removes.
  for (let round = 0; round < 3; round++) {
    await moveFiles('bucket', () => {});
    rmSync(join(folder, 'files'), { recursive: true });
    await Promise.all(Array.from({ length: 4 }, () => moveFiles('folder', () => {})));
    const names = readdirSync(folder, { recursive: true }).map(String);
    expect(names.filter((name) => name.endsWith('.png'))).toHaveLength(30);
    expect(names.join()).not.toContain('incoming');
  }
});

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(__dirname, '../..');

/** The migrated database of the test setup; without it the script migrates one of its own. */
const migrated = process.env.DATABASE_URL;

test('the migrations lead to schema.prisma', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', join(root, 'prisma', 'diff.mjs'), ...(migrated ? [migrated] : [])],
    { cwd: root },
  );
  expect(stdout).toBe('');
});

import { existsSync } from 'node:fs';
import { chmod, cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const emptyDatabase = join(__dirname, '../../../prisma/empty-database');

/**
 * Puts into the folder, which is there and empty, what every new database begins as: a copy of what
 * `prisma/empty-database.mjs` made when packages were installed.
 * @throws Error where that was not done, saying what to do
 */
export async function copyEmptyDatabase(folder: string, from = emptyDatabase): Promise<void> {
  if (!existsSync(join(from, 'PG_VERSION'))) {
    throw new Error(`No database can be created without ${from}. To have it made, run "npm ci".`);
  }
  await cp(from, folder, { recursive: true });
  // What is installed may be for reading only, and for everybody.
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600);
  }
}

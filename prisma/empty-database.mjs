// Makes the data folder that every new embedded database begins as: `node prisma/empty-database.mjs`,
// after each installation. To make one takes four seconds of a processor and 800 MB of memory, half
// of which stays with the process that did; to copy it, next to nothing.
import { chmodSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';

// Not in a folder of src: where an image is built, packages are installed before src is there.
const folder = join(dirname(fileURLToPath(import.meta.url)), 'empty-database');
const unfinished = `${folder}.unfinished`;

rmSync(unfinished, { recursive: true, force: true });
const database = await PGlite.create({ dataDir: unfinished });
await database.close();

// Anybody could write to them, and so into each new database. Who runs the service reads them.
for (const entry of readdirSync(unfinished, { recursive: true, withFileTypes: true })) {
  chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
}
rmSync(folder, { recursive: true, force: true });
renameSync(unfinished, folder);

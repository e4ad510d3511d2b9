/**
 * Keeps a migrated database in memory open until its standard input closes; prints its URL. A file
 * in its first argument holds a snapshot of one: read where it exists, which is faster than to
 * migrate, else written.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { openTemporary, type TemporaryDatabase } from '../../src/database/embedded/open';
import { migrate } from '../../src/database/migrate';

async function main(file: string | undefined): Promise<void> {
  process.stdin.resume().on('end', () => process.exit(0));
  const database =
    file && existsSync(file)
      ? await openTemporary({ snapshot: Uint8Array.from(readFileSync(file)) })
      : await openMigrated(file);
  process.stdout.write(`${database.url}\n`);
}

async function openMigrated(file: string | undefined): Promise<TemporaryDatabase> {
  const database = await openTemporary();
  await migrate({ url: database.url, log: () => {} });
  if (file) {
    // Whole or not at all, for others that look for it.
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, await database.takeSnapshot());
    renameSync(unfinished, file);
  }
  return database;
}

void main(process.argv[2]);

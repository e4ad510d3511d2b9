/** Keeps a migrated database in memory open until its standard input closes; prints its URL. */
import { openTemporary } from '../../src/database/embedded';
import { migrate } from '../../src/database/migrate';

async function main(): Promise<void> {
  const database = await openTemporary();
  await migrate({ url: database.url, log: () => {} });
  process.stdout.write(`${database.url}\n`);
  process.stdin.resume().on('end', () => process.exit(0));
}

void main();

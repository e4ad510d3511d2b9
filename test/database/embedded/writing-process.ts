/**
 * A process for tests to kill: opens the embedded database of the folder in its first argument and
 * inserts rows without end, printing the number of each when its commit was answered.
 */
import { Client } from 'pg';
import { openEmbedded } from '../../../src/database/embedded/open';

async function main(folder: string): Promise<void> {
  const { url } = await openEmbedded({ folder });
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('CREATE TABLE numbers (n int PRIMARY KEY)');
  for (let n = 1; ; n++) {
    await client.query('INSERT INTO numbers VALUES ($1)', [n]);
    process.stdout.write(`${n}\n`);
  }
}

void main(process.argv[2] ?? '');

/** A process for tests: its database is given a second, and a statement that never ends. */
import { Client } from 'pg';
import { openTemporary } from '../../../src/database/embedded/open';

async function main(): Promise<void> {
  const { url, limitStatements } = await openTemporary();
  const client = new Client({ connectionString: url });
  await client.connect();
  limitStatements(1_000);
  await client.query('SELECT count(*) FROM generate_series(1, 1000000000000)');
}

void main();

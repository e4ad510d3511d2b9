/**
 * A process for tests whose database cannot write its log any more, in the folder of its first argument:
 * the file that the next piece of it is made in is a folder. Whoever its second argument names meets that:
 * a client, or the maintenance. Like Next, it goes on after errors that nobody catches.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { openEmbedded } from '../../../src/database/embedded/open';

async function main(folder = '', who = ''): Promise<void> {
  process.on('uncaughtException', () => {});
  // Of all options of the worker, as `openEmbedded` hands them on.
  const options = { folder, ...(who === 'maintenance' && { maintenanceIntervalMs: 200 }) };
  const { url } = await openEmbedded(options);
  // Nothing else would keep the process.
  setInterval(() => {}, 1_000);
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('CREATE TABLE numbers AS SELECT n FROM generate_series(1, 100) n');
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  mkdirSync(join(folder, 'postgres', 'pg_wal', `xlogtemp.${rows[0]?.pid}`));
  await client.query('SELECT pg_switch_wal()');
  // The maintenance has a checkpoint to make by then, and nobody asks for anything.
  if (who === 'client') await client.query('INSERT INTO numbers VALUES (101)');
}

void main(process.argv[2], process.argv[3]);

/**
 * A process for tests whose database answers no more: "stuck" gives it a millisecond, and a statement
 * that never ends; "mute" has it answer in an encoding that it cannot make; "gone" ends its thread. Like Next, it goes on after errors that nobody catches.
 */
import type { Worker } from 'node:worker_threads';
import { Client } from 'pg';
import { openTemporary } from '../../../src/database/embedded/open';
import { keptSnapshot } from '../../helpers/kept-snapshot';

async function main(what = ''): Promise<void> {
  process.on('uncaughtException', () => {});
  const threads: Worker[] = [];
  process.on('worker', (worker) => threads.push(worker));
  const { url, limitStatements } = await openTemporary(keptSnapshot());
  // Nothing else would keep the process.
  setInterval(() => {}, 1_000);
  if (what === 'gone') {
    for (const thread of threads) await thread.terminate();
    return;
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  if (what === 'mute') {
    client.on('error', () => {});
    await client.query(`SET client_encoding = 'LATIN1'; SELECT 'é'`);
    return;
  }
  limitStatements(1);
  await client.query('SELECT count(*) FROM generate_series(1, 1000000000000)');
}

void main(process.argv[2]);

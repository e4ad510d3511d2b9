/**
 * A process for tests whose database answers no more: "stuck" gives it a millisecond, and a statement
 * that never ends; "lost" takes its folder away besides; "mute" has it answer in an encoding that it
 * cannot make; "gone" ends its thread. Like Next, it goes on after errors that nobody catches.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { Client } from 'pg';
import { openEmbedded, openTemporary } from '../../../src/database/embedded/open';
import { keptSnapshot } from '../../helpers/kept-snapshot';

async function main(what = ''): Promise<void> {
  process.on('uncaughtException', () => {});
  const threads: Worker[] = [];
  process.on('worker', (worker) => threads.push(worker));
  const folder = what === 'lost' ? mkdtempSync(join(tmpdir(), 'stuck-')) : undefined;
  const { url, limitStatements } = await (folder
    ? openEmbedded({ folder })
    : openTemporary(keptSnapshot()));
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
  // A loop, which needs no file: those are gone as well. What it reads to begin with, it has read.
  const loop = (exit: string) => client.query(`DO $$ BEGIN LOOP ${exit} END LOOP; END $$`);
  await loop('EXIT;');
  if (folder) rmSync(folder, { recursive: true });
  limitStatements(1);
  await loop('');
}

void main(process.argv[2]);

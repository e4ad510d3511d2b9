/**
 * Keeps a migrated database in memory open until its standard input closes, and lends others like
 * it. Prints as JSON its address and that of the lender, where `POST` answers the address of an
 * empty database that nobody else has, and `DELETE` with that address gives it back. To open one
 * costs as much as the tests of a file, so what was given back is emptied and lent again. The file
 * in the first argument holds a snapshot: read where it exists, for to migrate takes longer, else
 * written.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { openTemporary } from '../../src/database/embedded/open';
import { migrate } from '../../src/database/migrations/migrate';
import { emptyDatabase } from './empty-database';
import { listen } from './listening';

type Snapshot = Uint8Array<ArrayBuffer>;

async function main(file: string | undefined): Promise<void> {
  process.stdin.resume().on('end', () => process.exit(0));
  const { url, snapshot } = await openMigrated(file);
  const lender = await lend(async () => (await openTemporary({ snapshot })).url);
  process.stdout.write(`${JSON.stringify({ url, lender })}\n`);
}

async function openMigrated(file?: string): Promise<{ url: string; snapshot: Snapshot }> {
  if (file && existsSync(file)) {
    const snapshot = Uint8Array.from(readFileSync(file));
    return { url: (await openTemporary({ snapshot })).url, snapshot };
  }
  const { url, takeSnapshot } = await openTemporary();
  await migrate({ url, log: () => {} });
  await dropTemplates(url);
  const snapshot = await takeSnapshot();
  if (file) {
    // Whole or not at all, for others that look for it.
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, snapshot);
    renameSync(unfinished, file);
  }
  return { url, snapshot };
}

/** Half of the files of a snapshot; no database is ever made of them here. */
async function dropTemplates(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('UPDATE pg_database SET datistemplate = false');
  for (const name of ['template0', 'template1']) await client.query(`DROP DATABASE ${name}`);
  await client.end();
}

/** Serves the requests above, on the loopback interface. Resolves to where. */
async function lend(open: () => Promise<string>): Promise<string> {
  const idle: string[] = [];
  const answer = async (method: string | undefined, body: string) => {
    if (method === 'POST') return idle.pop() ?? open();
    await emptyDatabase(body);
    idle.push(body);
    return '';
  };
  const server = createServer(async (request, response) => {
    try {
      response.end(await answer(request.method, await text(request)));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  return `http://127.0.0.1:${await listen(server)}`;
}

void main(process.argv[2]);

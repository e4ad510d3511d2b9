import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { migrate } from '../../src/database/migrations/migrate';
import { createOnServer } from '../database/query';

export type TestDatabase = { url: string; close(): Promise<void> };

const opened = z.object({ url: z.string(), lender: z.string() });

/**
 * A new migrated database: on the server of TEST_DATABASE_URL, else an embedded one in memory, from
 * the snapshot in a file if that exists, else leaving one there. An embedded one lends others.
 */
export async function openTestDatabase(
  snapshotFile?: string,
): Promise<TestDatabase & { lender?: string }> {
  const server = process.env.TEST_DATABASE_URL;
  return server ? openOnServer(server) : startEmbedded(snapshotFile);
}

/**
 * A migrated database with nothing in it and nobody else on it, until it is closed: for test files
 * that look at all there is, or take what is due in whichever account.
 */
export async function borrowTestDatabase(): Promise<TestDatabase> {
  const server = process.env.TEST_DATABASE_URL;
  if (server) return openOnServer(server);
  const lender = process.env.TEST_DATABASE_LENDER ?? '';
  const url = await ask(lender, 'POST');
  return {
    url,
    close: async () => {
      await ask(lender, 'DELETE', url);
    },
  };
}

async function ask(lender: string, method: string, body?: string): Promise<string> {
  const response = await fetch(lender, { method, ...(body !== undefined && { body }) });
  const answer = await response.text();
  if (!response.ok) throw new Error(`The lender of test databases: ${answer}`);
  return answer;
}

async function openOnServer(server: string): Promise<TestDatabase> {
  const created = await createOnServer(server, 'test');
  await migrate({ url: created.url, log: () => {} });
  return created;
}

/** In a process of its own, so that the tests' threads stay free for the tests. */
async function startEmbedded(snapshotFile?: string): Promise<TestDatabase & { lender: string }> {
  const script = `${__dirname}/temporary-database.ts`;
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', script, ...(snapshotFile ? [snapshotFile] : [])],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  return {
    ...opened.parse(JSON.parse(await firstLine(child))),
    close: async () => {
      child.stdin.end();
      if (child.exitCode === null) await new Promise((done) => child.once('exit', done));
    },
  };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The test database ended with code ${code}`)));
    if (child.stdout) createInterface(child.stdout).once('line', resolve);
  });
}

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { emptyDatabase } from '../helpers/empty-database';
import { placeOfWorker } from './place';

/** For what never comes: machines with much other work take long. */
const startTimeoutMs = 600_000;

export type Service = {
  url: string;
  /** What it has written since this was started or borrowed. */
  log(): string;
  stop(): Promise<void>;
};

export type OwnService = Service & { folder: string; dataFolder: string };

/** The built service as `npm start` runs it, with an embedded database of its own. */
export async function startService(env: Record<string, string> = {}): Promise<OwnService> {
  const folder = mkdtempSync(join(tmpdir(), 'testimonials-browser-'));
  const dataFolder = join(folder, 'data');
  const output = openSync(logFile(folder), 'a');
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/server.ts'], {
    cwd: resolve(__dirname, '../..'),
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_FOLDER: dataFolder,
      ALLOW_PRIVATE_NETWORK: 'true',
      ...env,
    },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const log = () => readFileSync(logFile(folder), 'utf8');
  return {
    url: await address(child, log),
    folder,
    dataFolder,
    log,
    async stop() {
      const exited = new Promise((done) => child.once('exit', done));
      if (child.kill('SIGTERM')) await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const logFile = (folder: string) => join(folder, 'service.log');

/**
 * The worker's service, with no account in it: what earlier files left is removed. Its process is the
 * same, so what it counts in memory goes on.
 */
export async function borrowService(): Promise<Service> {
  const { service } = placeOfWorker();
  const written = () => readFileSync(logFile(service.folder), 'utf8');
  try {
    await emptyDatabase(service.database);
  } catch (cause) {
    throw new Error(`The database cannot be emptied. The service says:\n${written()}`, { cause });
  }
  const before = written().length;
  return { url: service.url, log: () => written().slice(before), stop: async () => {} };
}

/** Where it listens, once it says so. */
async function address(child: ChildProcess, log: () => string): Promise<string> {
  const deadline = Date.now() + startTimeoutMs;
  while (Date.now() < deadline && child.exitCode === null) {
    const port = /Ready at \S+:(\d+)/.exec(log())?.[1];
    if (port) return `http://127.0.0.1:${port}`;
    await new Promise((done) => setTimeout(done, 50));
  }
  child.kill('SIGKILL');
  throw new Error(`The service did not start:\n${log()}`);
}

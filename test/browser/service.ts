import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const startTimeoutMs = 60_000;

export type Service = { url: string; log: () => string; stop(): Promise<void> };

/** The built service as `npm start` runs it, with an embedded database of its own. */
export async function startService(env: Record<string, string> = {}): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'testimonials-browser-'));
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/server.ts'], {
    cwd: resolve(__dirname, '../..'),
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_FOLDER: folder,
      ALLOW_PRIVATE_NETWORK: 'true',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  const listen = (chunk: Buffer) => {
    log += chunk.toString();
  };
  child.stdout.on('data', listen);
  child.stderr.on('data', listen);
  return {
    url: await address(child, () => log),
    log: () => log,
    async stop() {
      const exited = new Promise((done) => child.once('exit', done));
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
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

/** The processes that are measured: the service in several ways, and what it is compared with. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../test/helpers/listening';
import { directusEnv } from './floors';
import type { BenchDatabase } from './load';

export type Running = { origin: string; pid: number; stop(): Promise<void> };

export type ServerName =
  | 'service'
  | 'service without cache'
  | 'service without cache and log'
  | 'service on 10,000 rows'
  | 'service in Next'
  | 'service in Next, cache on'
  | 'Fastify'
  | 'Fastify, same duties'
  | 'empty Next route'
  | 'Directus';

export type Databases = { large: BenchDatabase; small: BenchDatabase };

const projectFolder = resolve(__dirname, '../..');
const floorsFolder = join(projectFolder, 'bench', 'floors');
const nextCommand = join(projectFolder, 'node_modules/next/dist/bin/next');
/** Those of `npm start`. */
const startOptions = ['--min-semi-space-size=16', '--max-semi-space-size=32', '--import', 'tsx'];

const startTimeoutMs = 60_000;

/** Starts the processes as they are asked for, each once. */
export class Servers {
  readonly #databases: Databases;
  readonly #dataFolder: string;
  readonly #running = new Map<ServerName, Promise<Running>>();

  constructor(databases: Databases, dataFolder: string) {
    this.#databases = databases;
    this.#dataFolder = dataFolder;
  }

  get(name: ServerName): Promise<Running> {
    const running = this.#running.get(name) ?? this.#start(name);
    this.#running.set(name, running);
    return running;
  }

  async stopAll(): Promise<void> {
    const started = await Promise.allSettled(this.#running.values());
    await Promise.all(
      started.map((start) => (start.status === 'fulfilled' ? start.value.stop() : undefined)),
    );
    this.#running.clear();
  }

  /** As `npm start` runs it, with what `nodeOptions` adds. */
  startService(
    { url }: BenchDatabase,
    env: Record<string, string> = {},
    nodeOptions: string[] = [],
  ): Promise<Running> {
    return startProcess([...startOptions, ...nodeOptions, 'src/server.ts'], '/api/health', {
      ...this.#serviceEnv(url),
      ...env,
    });
  }

  async #start(name: ServerName): Promise<Running> {
    const { large, small } = this.#databases;
    switch (name) {
      case 'service':
        return this.startService(large);
      case 'service without cache':
        return this.startService(large, { CACHE_BYTES: '0' });
      case 'service without cache and log':
        return this.startService(large, { CACHE_BYTES: '0', REQUEST_LOG: 'off' });
      case 'service on 10,000 rows':
        return this.startService(small, { CACHE_BYTES: '0' });
      case 'service in Next':
        return startNext(projectFolder, '/api/health', {
          ...this.#serviceEnv(large.url),
          CACHE_BYTES: '0',
        });
      case 'service in Next, cache on':
        return startNext(projectFolder, '/api/health', this.#serviceEnv(large.url));
      case 'Fastify':
        return startProcess(
          [join(floorsFolder, 'fastify/server.mjs')],
          `/counters?account=${large.accounts[0]?.id}`,
          { DATABASE_URL: large.url },
        );
      case 'Fastify, same duties':
        return startProcess([join(floorsFolder, 'fastify-duties/server.mjs')], '/health', {
          DATABASE_URL: large.url,
        });
      case 'empty Next route':
        return startNext(join(floorsFolder, 'next'), '/empty', {});
      case 'Directus':
        return startProcess(
          [join(floorsFolder, 'directus/node_modules/directus/cli.js'), 'start'],
          '/server/ping',
          directusEnv(large.url),
        );
    }
  }

  /** Everything as in production; only the limit is too high to be reached, and still counted. */
  #serviceEnv(databaseUrl: string): Record<string, string> {
    return {
      DATABASE_URL: databaseUrl,
      DATA_FOLDER: this.#dataFolder,
      HOST: '127.0.0.1',
      LOG_LEVEL: 'info',
      RATE_LIMIT_REQUESTS: '1000000000',
      TRANSCRIPTION_DISABLED: 'true',
    };
  }
}

async function startNext(folder: string, ready: string, env: Record<string, string>) {
  const port = await freePort();
  const args = [nextCommand, 'start', folder, '-H', '127.0.0.1', '-p', String(port)];
  return startProcess(args, ready, { ...env, PORT: String(port) });
}

/** Starts a process and waits until it answers `readyPath`. Its output is thrown away. */
async function startProcess(
  args: string[],
  readyPath: string,
  env: Record<string, string>,
): Promise<Running> {
  const port = env.PORT ?? String(await freePort());
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: projectFolder,
    // Nothing else of this environment, which may hold a configuration of the service.
    env: { PATH, HOME, NODE_ENV: 'production', ...env, PORT: port },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const { pid } = child;
  const origin = `http://127.0.0.1:${port}`;
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill();
    const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await exited;
    clearTimeout(timer);
  };
  const deadline = performance.now() + startTimeoutMs;
  while (!(await answers(origin + readyPath))) {
    if (child.exitCode !== null || performance.now() > deadline || pid === undefined) {
      await stop();
      throw new Error(`${args.join(' ')} did not start`);
    }
    await sleep(100);
  }
  return { origin, pid: pid ?? 0, stop };
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

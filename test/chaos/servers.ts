/** Postgres, PgBouncer and Redis of this run's own, on the loopback interface, where they are installed. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from '../helpers/listening';
import { childrenOf } from '../smoke/processes';

const readyTimeoutMs = 20_000;

export type Program = {
  port: number;
  pid: number;
  url: string;
  stop(signal?: NodeJS.Signals): Promise<void>;
};

const running = new Set<ChildProcess>();
const folders = new Set<string>();

/** Ends whatever was started here, at once, and removes what it stored. */
export function endPrograms(): void {
  for (const child of running) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

/** A new database cluster, whose only user needs no password; undefined where none is installed. */
export async function startPostgres(): Promise<Program | undefined> {
  const initdb = findPostgresProgram('initdb');
  const postgres = findPostgresProgram('postgres');
  if (!initdb || !postgres) return undefined;
  const folder = temporaryFolder();
  const data = join(folder, 'data');
  execFileSync(initdb, ['--pgdata', data, '--auth=trust', '--username=postgres', '--no-sync'], {
    stdio: 'ignore',
    ...unprivileged(),
    cwd: folder,
  });
  const port = await freePort();
  const program = await startProgram(postgres, serverArguments(data, port), port, folder);
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  await untilAnswered(url);
  return { ...program, url };
}

/** A server that follows another, by streaming. */
export type Standby = Program & {
  /** Ends it and everything it has started, without a goodbye. */
  kill(): Promise<void>;
  restart(): Promise<void>;
};

/** Undefined where no Postgres is installed. `settings` are as `name=value`. */
export async function startStandby(
  { url }: Program,
  settings: string[] = [],
): Promise<Standby | undefined> {
  const basebackup = findPostgresProgram('pg_basebackup');
  const postgres = findPostgresProgram('postgres');
  if (!basebackup || !postgres) return undefined;
  const folder = temporaryFolder();
  const data = join(folder, 'data');
  const options = ['--write-recovery-conf', '--checkpoint=fast', '--no-sync', '--dbname', url];
  execFileSync(basebackup, ['--pgdata', data, ...options], {
    stdio: 'pipe',
    ...unprivileged(),
    cwd: folder,
  });
  const port = await freePort();
  const run = () => startProgram(postgres, serverArguments(data, port, settings), port, folder);
  let program = await run();
  const address = new URL(url);
  address.port = String(port);
  await untilAnswered(address.href);
  return {
    port,
    get pid() {
      return program.pid;
    },
    url: address.href,
    stop: (signal) => program.stop(signal),
    kill: async () => {
      const children = childrenOf(program.pid);
      await program.stop('SIGKILL');
      for (const child of children) killIfThere(child);
    },
    restart: async () => {
      program = await run();
    },
  };
}

function serverArguments(data: string, port: number, more: string[] = []): string[] {
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories='];
  return ['-D', data, ...[...settings, ...more].flatMap((setting) => ['-c', setting])];
}

/** It takes connections before it answers by them. */
async function untilAnswered(url: string): Promise<void> {
  const deadline = performance.now() + readyTimeoutMs;
  for (;;) {
    const client = new Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(50);
    }
  }
}

export function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** In front of the server that `url` names, giving its connections to one client after another. */
export async function startPgBouncer(url: string, at?: number): Promise<Program | undefined> {
  const file = findProgram('pgbouncer');
  if (!file) return undefined;
  const folder = temporaryFolder();
  const port = at ?? (await freePort());
  const { hostname, port: serverPort } = new URL(url);
  const config = join(folder, 'pgbouncer.ini');
  await writeFile(
    config,
    `[databases]
* = host=${hostname} port=${serverPort} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 200
default_pool_size = 10
`,
  );
  chmodSync(config, 0o644);
  const program = await startProgram(file, [config], port, folder);
  const through = new URL(url);
  through.port = String(port);
  through.searchParams.set('pgbouncer', 'true');
  return { ...program, url: through.href };
}

export async function startRedis(): Promise<Program | undefined> {
  const file = findProgram('redis-server');
  if (!file) return undefined;
  const folder = temporaryFolder();
  const port = await freePort();
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const program = await startProgram(file, [...args, '--dir', folder], port, folder);
  return { ...program, url: `redis://127.0.0.1:${port}` };
}

/** The newest of those that Debian's packages bring. */
export function findPostgresProgram(name: string): string | undefined {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root) : [];
  const files = versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(root, version, 'bin', name));
  return files.find((file) => existsSync(file)) ?? findProgram(name);
}

/** Where the system has it. */
export function findProgram(name: string): string | undefined {
  const places = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return places.map((place) => join(place, name)).find((file) => existsSync(file));
}

/** Runs it without privileges. Resolves once it takes connections, and throws with what it said where it does not. */
export async function startProgram(file: string, args: string[], port: number, cwd: string) {
  const child = spawn(file, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], ...unprivileged() });
  running.add(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    // Its start tells why it fails; later it says too much to keep.
    stream.on('data', (chunk) => {
      if (said.length < 10_000) said += chunk;
    });
  }
  const ended = once(child, 'exit').then(() => running.delete(child));
  const deadline = performance.now() + readyTimeoutMs;
  while (!(await takesConnections(port))) {
    if (performance.now() > deadline || child.exitCode !== null) {
      child.kill('SIGKILL');
      throw new Error(`${file} did not start: ${said}`);
    }
    await sleep(50);
  }
  return {
    port,
    pid: child.pid ?? 0,
    stop: async (signal: NodeJS.Signals = 'SIGKILL') => {
      child.kill(signal);
      await ended;
    },
  };
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

/** Of the user that the programs run as. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'testimonials-chaos-'));
  folders.add(folder);
  const { uid, gid } = unprivileged();
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  return folder;
}

/** Postgres and PgBouncer refuse to run as root: they get the user that Debian makes for them, or nobody. */
function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: 'pipe' }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // There is no such user.
    }
  }
  return {};
}

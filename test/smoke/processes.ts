/** The built service, and the command line, as processes of their own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { killGroup } from '../helpers/kill-group';

const projectFolder = join(__dirname, '../..');
const startTimeoutMs = 300_000;
const endTimeoutMs = 30_000;

/** Environment variables that a process gets. */
export type Settings = Record<string, string>;

export type Exit = { code: number | null; printed: string; said: string };

/** Everything that the processes of this run have written, to look for what must not be there. */
export const allOutput: string[] = [];

/** A service that has said that it is ready. */
export type Service = {
  /** Without a path. */
  url: string;
  port: number;
  /** Of the process that was started: the service's own only where it is not started by npm. */
  pid: number;
  /** Resolves when the process is gone, whoever has ended it. */
  ended: Promise<Exit>;
  /** What it has written so far. */
  output(): Exit;
  /** From here on nobody takes what it writes, as when the process behind a pipe has gone. */
  stopReading(): void;
  /** Resolves when the process is gone. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<Exit>;
};

/**
 * Starts the service, by itself or as `npm start` does, and sends it a signal once it has said
 * something, where one is given. Throws with what it has written where it is not ready in time, or
 * ends instead.
 */
export async function startService(
  settings: Settings,
  by: 'node' | 'npm' = 'node',
  early?: NodeJS.Signals,
): Promise<Service> {
  const service =
    by === 'npm'
      ? launch('npm', ['start'], { ...settings, ...anyPort })
      : launch(process.execPath, serviceArguments, { ...settings, ...anyPort });
  if (early) service.child.stdout.once('data', () => service.child.kill(early));
  const deadline = setTimeout(() => killGroup(service.child), startTimeoutMs);
  const port = await new Promise<number>((resolve, reject) => {
    service.child.stdout.on('data', () => {
      const [, digits] = /Ready at http:\/\/localhost:(\d+)\n/.exec(service.exit().printed) ?? [];
      if (digits) resolve(Number(digits));
    });
    service.ended.then(() => {
      const { printed, said } = service.exit();
      reject(new Error(`The service did not start: ${printed}${said}`));
    });
  });
  clearTimeout(deadline);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    pid: service.child.pid ?? 0,
    ended: service.ended.then(service.exit),
    output: service.exit,
    stopReading: () => {
      service.child.stdout.destroy();
      service.child.stderr.destroy();
    },
    end: (signal) => {
      service.child.kill(signal);
      return ending(service);
    },
  };
}

/** Starts a service that is expected to end by itself. */
export function startServiceInVain(settings: Settings): Promise<Exit> {
  return ending(launch(process.execPath, serviceArguments, { ...settings, ...anyPort }));
}

/** Runs `npm run --silent <script> -- <args>`. */
export function run(
  settings: Settings,
  script: 'account' | 'api-key' | 'seed',
  args: string[],
  input = '',
): Promise<Exit> {
  return ending(launch('npm', ['run', '--silent', script, '--', ...args], settings, input));
}

/** What a command prints; throws where it fails. */
export async function resultOf(...parameters: Parameters<typeof run>): Promise<string> {
  const { code, printed, said } = await run(...parameters);
  if (code !== 0) throw new Error(`${parameters[1]} ended with exit code ${code}: ${said}`);
  return printed.trim();
}

/** Those that a process has started and that run, by id. Of Linux, where /proc tells them. */
export function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return children === '' ? [] : children.split(' ').map(Number);
}

/** Ends what a failed step, or one that is broken off, has left behind. */
export function killAll(): void {
  for (const child of running) killGroup(child);
}

const serviceArguments = ['--import', 'tsx', 'src/server.ts'];
const anyPort = { HOST: '127.0.0.1', PORT: '0' };
const running = new Set<ChildProcess>();

function launch(file: string, args: string[], settings: Settings, input = '') {
  const child = spawn(file, args, {
    cwd: projectFolder,
    env: environment(settings),
    // A process group of its own, to end it with all it has started.
    detached: true,
  });
  running.add(child);
  child.stdin.end(input);
  const printed: string[] = [];
  const said: string[] = [];
  child.stdout.on('data', (chunk) => printed.push(String(chunk)));
  child.stderr.on('data', (chunk) => said.push(String(chunk)));
  // Not "exit": what the process wrote last may still be on its way.
  const ended = once(child, 'close').then(() => {
    running.delete(child);
    // What a command prints is its result, and may be a key.
    allOutput.push(...said, ...(args[0] === 'run' ? [] : printed));
  });
  const exit = (): Exit => ({
    code: child.exitCode,
    printed: printed.join(''),
    said: said.join(''),
  });
  return { child, ended, exit };
}

/** Of the caller's own settings none may reach what is tested. */
function environment(settings: Settings): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', ...settings };
}

async function ending({ child, ended, exit }: ReturnType<typeof launch>): Promise<Exit> {
  const deadline = setTimeout(() => killGroup(child), endTimeoutMs);
  await ended;
  clearTimeout(deadline);
  return exit();
}
